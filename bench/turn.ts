// Added latency of a turn over HTTP, turns a second, CPU, memory and start-up of the embedded suite.
//   npm run bench:turn -- [--placement together|apart] [--turns 5000] [--warm-up 40] [--tools off|on|both] [--context 128000] [--row 200]
//     [--at-once 600] [--spaced 400] [--people 200] [--pause 100] [--rest 5]
// With `--tools both`, a turn with tools against one without, side by side on two suites: their latencies and the ratio.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readPlacement } from '../tests/faults/read-placement.ts';
import { newPerson } from './call-suite.ts';
import { cpuTimes, FOLLOWED_MS, LOAD, residentMegabytes } from './process-costs.ts';
import { nth, oneDigit, printTables, spread, sum, writeResult } from './figures.ts';
import { readNumber } from './options.ts';
import { startOwnSuite } from './own-suite.ts';
import { cardOf, compareTools } from './compare-tools.ts';
import { timedTurn, type TurnTimes } from './timed-turn.ts';

const IN_FLIGHT = 16;

const { values } = parseArgs({
  options: {
    placement: { type: 'string', default: 'together' },
    /** In all, before memory is looked at. */
    turns: { type: 'string', default: '5000' },
    /**
     * Before anything is measured, of four people: the first of them is who then talks in a row. Most code is compiled
     * after 1,000.
     */
    'warm-up': { type: 'string', default: '40' },
    /** The card of the model says that it takes tools. */
    tools: { type: 'string', default: 'off' },
    /** Longest prompt in tokens, by the model's card. Where the card says nothing, Kith takes 8,192. */
    context: { type: 'string', default: '128000' },
    /** Turns of one person in a row. What follows the first of few comes after the last of them. */
    row: { type: 'string', default: '200' },
    /** Turns of many at once. */
    'at-once': { type: 'string', default: '600' },
    /** Turns with a pause between them. */
    spaced: { type: 'string', default: '400' },
    /** A community: each of them says something now and then, so that caches are as cold as in life. */
    people: { type: 'string', default: '200' },
    /** Milliseconds between spaced turns. */
    pause: { type: 'string', default: '100' },
    /** Seconds of silence before spaced turns: what follows those before them is done in five. */
    rest: { type: 'string', default: '5' },
  },
});
const placement = readPlacement('bench:turn', values.placement);
const turns = readNumber('turns', values.turns);
const warmUp = readNumber('warm-up', values['warm-up']);
const context = readNumber('context', values.context);
const rowCount = readNumber('row', values.row);
const atOnceCount = readNumber('at-once', values['at-once']);
const spacedCount = readNumber('spaced', values.spaced);
const peopleCount = readNumber('people', values.people);
const pauseMs = readNumber('pause', values.pause);
const restMs = readNumber('rest', values.rest) * 1_000;
const { tools } = values;
if (tools === 'both') {
  await compareTools(placement, context);
  process.exit();
}
if (tools !== 'on' && tools !== 'off') {
  console.error('bench:turn: --tools is on, off or both');
  process.exit(2);
}

interface Figures {
  firstTokenMs: number[];
  doneMs: number[];
  perSecond: number;
}

const suite = await startOwnSuite(cardOf(tools, context), placement);
let said = 0;
try {
  const people: string[] = [];
  for (let person = 0; person < peopleCount; person += 1)
    people.push(await newPerson(suite, `Person ${person}`));
  await atOnce(warmUp, 4, people);
  await sleep(FOLLOWED_MS);
  const row = await atOnce(rowCount, 1, people);
  await sleep(restMs);
  const cpuBefore = await cpuTimes(suite.stack);
  const spaced = await spacedOut(spacedCount, people);
  await sleep(FOLLOWED_MS);
  const cpuAfter = await cpuTimes(suite.stack);
  const many = await atOnce(atOnceCount, IN_FLIGHT, people);
  await atOnce(Math.max(0, turns - said), IN_FLIGHT, people);
  const rss = await residentMegabytes(suite.stack);
  const restartMs = await suite.restart();
  const result = {
    [`added latency ${placement}, tools ${tools}, ms`]: {
      'in a row, first token': spread(row.firstTokenMs),
      'in a row, committed reply': spread(row.doneMs),
      [`${peopleCount} people spaced, first token`]: spread(spaced.firstTokenMs),
      [`${peopleCount} people spaced, committed reply`]: spread(spaced.doneMs),
      [`${IN_FLIGHT} in flight, first token`]: spread(many.firstTokenMs),
      [`${IN_FLIGHT} in flight, committed reply`]: spread(many.doneMs),
    },
    'turns a second': { 'in a row': row.perSecond, [`${IN_FLIGHT} in flight`]: many.perSecond },
    'CPU, ms a turn, spaced': perTurn(cpuBefore, cpuAfter, spacedCount),
    [`resident memory after ${said} turns, MB`]: { ...rss, all: sum(Object.values(rss)) },
    'start-up, ms': { 'first, empty': suite.startMs, 'again, same data': restartMs },
  };
  printTables(result);
  await writeResult(tools === 'on' ? `turn-${placement}-tools` : `turn-${placement}`, result);
} finally {
  await suite[Symbol.asyncDispose]();
}
process.exit();

/** Turns as fast as they are answered, so many under way at a time; each of those is one person. */
async function atOnce(count: number, inFlight: number, keys: readonly string[]): Promise<Figures> {
  const figures: Figures = { firstTokenMs: [], doneMs: [], perSecond: 0 };
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: inFlight }, async (_, worker) => {
      while (next < count) {
        next += 1;
        note(figures, await oneTurn(nth(keys, worker)));
      }
    }),
  );
  figures.perSecond = oneDigit(count / ((performance.now() - started) / 1_000));
  return figures;
}

/** One turn after the other with a pause between them, each of the next person. */
async function spacedOut(count: number, keys: readonly string[]): Promise<Figures> {
  const figures: Figures = { firstTokenMs: [], doneMs: [], perSecond: 0 };
  for (let turn = 0; turn < count; turn += 1) {
    note(figures, await oneTurn(nth(keys, turn)));
    await sleep(pauseMs);
  }
  return figures;
}

function note(figures: Figures, turn: TurnTimes): void {
  figures.firstTokenMs.push(turn.firstTokenMs);
  figures.doneMs.push(turn.doneMs);
}

/** The next thing that is said, of a person. */
function oneTurn(key: string): Promise<TurnTimes> {
  const number = said++;
  return timedTurn(suite.url, key, `Note ${number}: the kettle in room ${number % 17} sings.`);
}

/** CPU time of a turn, by process: without the one that makes the load and plays the model. */
function perTurn(
  before: Record<string, number>,
  after: Record<string, number>,
  count: number,
): Record<string, number> {
  const each = Object.entries(after)
    .filter(([name]) => name !== LOAD)
    .map(([name, ms]) => [name, oneDigit((ms - (before[name] ?? 0)) / count)] as const)
    .filter(([, ms]) => ms > 0);
  return { ...Object.fromEntries(each), all: oneDigit(sum(each.map(([, ms]) => ms))) };
}
