// What a suite costs that nobody talks to: CPU, Redis commands, transactions and wake-ups of a minute's rest.
//   npm run bench:idle -- [--placement together|apart] [--seconds 60]
import { readFile, readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { firstOf } from '@kith/contracts';
import { Redis } from 'ioredis';
import pg from 'pg';
import { readPlacement } from '../tests/faults/read-placement.ts';
import { cpuTimes } from './cpu-times.ts';
import { startOwnSuite } from './own-suite.ts';
import { residentMegabytes } from './resident-megabytes.ts';
import { writeResult } from './write-result.ts';

/** Work left by the start and the first turns is done by then: reading for facts waits 20 s. */
const SETTLE_MS = 45_000;
const TURNS = 20;

const { values } = parseArgs({
  options: {
    placement: { type: 'string', default: 'together' },
    seconds: { type: 'string', default: '60' },
  },
});
const placement = readPlacement('bench:idle', values.placement);
const seconds = Number(values.seconds);
if (!Number.isInteger(seconds) || seconds < 1) {
  console.error('bench:idle: --seconds is a whole number, such as 60');
  process.exit(2);
}

const suite = await startOwnSuite(undefined, placement);
const redis = new Redis(suite.stack.redis.url);
const postgres = new pg.Client({ connectionString: suite.stack.postgres.ownerUrl('kith') });
try {
  await postgres.connect();
  for (let turn = 0; turn < TURNS; turn += 1) await say(`Note ${turn}: the kettle sings.`);
  await sleep(SETTLE_MS);
  const before = await look();
  await sleep(seconds * 1_000);
  const after = await look();
  const perSecond = (kind: 'redisCommands' | 'transactions' | 'wakeUps') =>
    Math.round(((after[kind] - before[kind]) / seconds) * 10) / 10;
  const cpuMs = Object.entries(after.cpu)
    .filter(([name]) => name !== 'load and model')
    .map(([name, ms]) => [name, ms - (before.cpu[name] ?? 0)] as const);
  const shareOf = (ms: number) => Math.round((ms / (seconds * 1_000)) * 10_000) / 100;
  const result = {
    [`a minute's rest, ${placement}`]: {
      'CPU, % of a core, services': shareOf(sum(cpuMs.filter(([name]) => !isStore(name)))),
      'CPU, % of a core, stores': shareOf(sum(cpuMs.filter(([name]) => isStore(name)))),
      'Redis commands a second': perSecond('redisCommands'),
      'transactions a second': perSecond('transactions'),
      'wake-ups a second': perSecond('wakeUps'),
    },
    'resident memory, MB': await residentMegabytes(suite.stack),
  };
  for (const [title, rows] of Object.entries(result)) {
    console.log(title);
    console.table(rows);
  }
  await writeResult(`idle-${placement}`, result);
} finally {
  redis.disconnect();
  await postgres.end();
  await suite.stop();
}
process.exit();

async function say(message: string): Promise<void> {
  const response = await fetch(`${suite.url}/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${suite.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  });
  if (!response.ok) throw new Error(`chat answered ${response.status}: ${await response.text()}`);
}

async function look() {
  const [cpu, info, { rows }, wakeUps] = await Promise.all([
    cpuTimes(new Map(suite.stack.processes.map(({ name, pid }) => [pid ?? 0, name]))),
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

function sum(entries: readonly (readonly [string, number])[]): number {
  return entries.reduce((total, [, ms]) => total + ms, 0);
}

function isStore(name: string): boolean {
  return name.startsWith('postgres') || name.startsWith('redis');
}
