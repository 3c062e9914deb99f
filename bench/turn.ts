// Added latency of a turn over HTTP, turns a second, memory and start-up of the embedded suite.   npm run bench:turn -- [--placement apart|together]
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readPlacement } from '../tests/faults/read-placement.ts';
import { cpuTimes } from './cpu-times.ts';
import { spread, startOwnSuite, type OwnSuite } from './own-suite.ts';
import { residentMegabytes } from './resident-megabytes.ts';

const WARM_UP = 40;
const SEQUENTIAL = 200;
const CONCURRENT = 600;
const IN_FLIGHT = 16;

const { values } = parseArgs({ options: { placement: { type: 'string', default: 'together' } } });
const suite = await startOwnSuite(undefined, readPlacement('bench:turn', values.placement));
try {
  const people = await Promise.all(
    Array.from({ length: IN_FLIGHT }, (_, index) => newPerson(suite, `Person ${index}`)),
  );
  await run(WARM_UP, 4, people);
  const cpuBefore = await cpuTimes(processNames(suite));
  const one = await run(SEQUENTIAL, 1, people);
  const cpuAfter = await cpuTimes(processNames(suite));
  const many = await run(CONCURRENT, IN_FLIGHT, people);
  const rss = await residentMegabytes(suite.stack);
  const restartMs = await suite.restart();
  const result = {
    'added latency, ms': {
      '1 in flight, first token': spread(one.firstTokenMs),
      '1 in flight, committed reply': spread(one.doneMs),
      [`${IN_FLIGHT} in flight, first token`]: spread(many.firstTokenMs),
      [`${IN_FLIGHT} in flight, committed reply`]: spread(many.doneMs),
    },
    'turns a second': { '1 in flight': one.perSecond, [`${IN_FLIGHT} in flight`]: many.perSecond },
    'CPU, ms a turn, 1 in flight': perTurn(cpuBefore, cpuAfter, SEQUENTIAL),
    'resident memory, MB': rss,
    'start-up, ms': { 'first, empty': suite.startMs, 'again, same data': restartMs },
  };
  for (const [title, rows] of Object.entries(result)) {
    console.log(title);
    console.table(rows);
  }
  const directory = join(import.meta.dirname, 'results');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, 'turn.json'), JSON.stringify(result, null, 2));
} finally {
  await suite.stop();
}

async function newPerson(on: OwnSuite, person: string): Promise<string> {
  const response = await fetch(`${on.url}/v1/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${on.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', person, scopes: ['chat'] }),
  });
  return ((await response.json()) as { key: string }).key;
}

async function run(turns: number, inFlight: number, keys: readonly string[]) {
  const firstTokenMs: number[] = [];
  const doneMs: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async (_, worker) => {
      while (next < turns) {
        const number = next++;
        const turn = await oneTurn(
          keys[worker % keys.length]!,
          `Note ${number}: the kettle in room ${number % 17} sings.`,
        );
        firstTokenMs.push(turn.firstTokenMs);
        doneMs.push(turn.doneMs);
      }
    }),
  );
  const perSecond = Math.round((turns / ((performance.now() - started) / 1_000)) * 10) / 10;
  return { firstTokenMs, doneMs, perSecond };
}

/** Times from sending the request: what a person would wait beyond the model's own time. */
async function oneTurn(key: string, message: string): Promise<{ firstTokenMs: number; doneMs: number }> {
  const started = performance.now();
  const response = await fetch(`${suite.url}/v1/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message, stream: true }),
  });
  let firstTokenMs = Number.NaN;
  let text = '';
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (Number.isNaN(firstTokenMs) && text.includes('event: token'))
      firstTokenMs = performance.now() - started;
  }
  if (!text.includes('"outcome":"answered"')) throw new Error(`a turn was not answered: ${text.slice(-300)}`);
  return { firstTokenMs, doneMs: performance.now() - started };
}

function processNames(on: OwnSuite): Map<number, string> {
  return new Map(on.stack.processes.map(({ name, pid }) => [pid ?? 0, name]));
}

function perTurn(
  before: Record<string, number>,
  after: Record<string, number>,
  turns: number,
): Record<string, number> {
  const rounded = (ms: number) => Math.round((ms / turns) * 10) / 10;
  const each = Object.entries(after).map(([name, ms]) => [name, rounded(ms - (before[name] ?? 0))] as const);
  const all = rounded(Object.entries(after).reduce((sum, [name, ms]) => sum + ms - (before[name] ?? 0), 0));
  return { ...Object.fromEntries(each.filter(([, ms]) => ms > 0)), all };
}

/** Linux only; empty elsewhere. */
