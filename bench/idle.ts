// What a suite costs that nobody talks to: CPU, Redis commands, transactions and wake-ups of a minute's rest.
//   npm run bench:idle -- [--placement together|apart] [--seconds 60]
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { firstOf } from '@kith/contracts';
import { Redis } from 'ioredis';
import pg from 'pg';
import { readPlacement } from '../tests/faults/read-placement.ts';
import { callSuite } from './call-suite.ts';
import { cpuTimes, LOAD, residentMegabytes } from './process-costs.ts';
import { oneDigit, printTables, sum, writeResult } from './figures.ts';
import { readNumber } from './options.ts';
import { startOwnSuite } from './own-suite.ts';

/** Work left by the start and the first turns is done by then: reading for facts waits 20 s. */
const SETTLE_MS = 45_000;
const TURNS = 20;

const { values } = parseArgs({
  options: { placement: { type: 'string', default: 'together' }, seconds: { type: 'string', default: '60' } },
});
const placement = readPlacement('bench:idle', values.placement);
const seconds = readNumber('seconds', values.seconds);

const suite = await startOwnSuite(undefined, placement);
const redis = new Redis(suite.stack.redis.url);
const postgres = new pg.Client({ connectionString: suite.stack.postgres.ownerUrl('kith') });
try {
  await postgres.connect();
  for (let turn = 0; turn < TURNS; turn += 1)
    await callSuite(suite, 'chat', { message: `Note ${turn}: the kettle sings.` });
  await sleep(SETTLE_MS);
  const before = await look();
  await sleep(seconds * 1_000);
  const after = await look();
  const perSecond = (kind: 'redisCommands' | 'transactions' | 'wakeUps') =>
    oneDigit((after[kind] - before[kind]) / seconds);
  const shareOf = (isMeant: (name: string) => boolean) => {
    const names = Object.keys(after.cpu).filter((name) => name !== LOAD && isMeant(name));
    const ms = sum(names.map((name) => (after.cpu[name] ?? 0) - (before.cpu[name] ?? 0)));
    return Math.round((ms / (seconds * 1_000)) * 10_000) / 100;
  };
  const result = {
    [`a minute's rest, ${placement}`]: {
      'CPU, % of a core, services': shareOf((name) => !isStore(name)),
      'CPU, % of a core, stores': shareOf(isStore),
      'Redis commands a second': perSecond('redisCommands'),
      'transactions a second': perSecond('transactions'),
      'wake-ups a second': perSecond('wakeUps'),
    },
    'resident memory, MB': await residentMegabytes(suite.stack),
  };
  printTables(result);
  await writeResult(`idle-${placement}`, result);
} finally {
  redis.disconnect();
  await postgres.end();
  await suite[Symbol.asyncDispose]();
}
process.exit();

async function look() {
  const [cpu, info, { rows }, wakeUps] = await Promise.all([
    cpuTimes(suite.stack),
    redis.info('stats'),
    postgres.query<{ count: string }>(
      'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
    ),
    countWakeUps(),
  ]);
  const redisCommands = Number(/total_commands_processed:(\d+)/.exec(info)?.[1]);
  return { cpu, redisCommands, transactions: Number(firstOf(rows).count), wakeUps };
}

/** Counts how often threads of the services were woken. Linux only. */
async function countWakeUps(): Promise<number> {
  let count = 0;
  for (const { pid } of suite.stack.processes) {
    const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
    for (const thread of threads) {
      const status = await readFile(`/proc/${pid}/task/${thread}/status`, 'utf8').catch(() => '');
      count += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    }
  }
  return count;
}

function isStore(name: string): boolean {
  return name.startsWith('postgres') || name.startsWith('redis');
}
