// What a turn and recall cost on a database of many people, beside the same on one that is all but empty; and which
// statements cost more there.
//   npm run bench:growth -- [--placement together|apart] [--people 100000] [--memories 2000000] [--rest 90]
import { randomBytes, hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { firstOf, formatApiKey, memoryContract, present, RecurringJobName } from '@kith/contracts';
import { readPlacement } from '../tests/faults/read-placement.ts';
import { idOfPerson } from './growth/ids.ts';
import { fill, keepSpecimens, keepVectors, LINES, makeLines } from './growth/fill.ts';
import {
  grownStatements,
  prepareCounting,
  readScans,
  readStatements,
  resetCounts,
} from './growth/statements.ts';
import { connect, using, type Side } from './side.ts';
import { nth, percentile, writeResult } from './figures.ts';
import { readNumber } from './options.ts';
import { startOwnSuite, type OwnSuite } from './own-suite.ts';
import { PLACES, THINGS } from './sentences.ts';
import { timedTurn, type TurnTimes } from './timed-turn.ts';

/** Most the filled database may cost beside the empty one. */
const MARK = 1.3;
/** Person who has said every line there is. */
const LONGEST = { from: 0, count: 1, turnsEach: LINES / 2 };
/** People who talk here. As many again are asked about once, so that nothing of theirs is cached. */
const TALKERS = 200;
const MEASURED = { from: 1, count: 2 * TALKERS, turnsEach: 10 };
/** Turns after which the engine has compiled what a service runs all day. */
const WARM_UP = 300;
const TURNS = 400;
const SPACED_BY_MS = 100;
const RECALLS = 600;
/** Time in which a job that was asked for is done, and what it orders. */
const JOBS_TAKE_MS = 20_000;
const POLL_MS = 500;
/** Characters of a statement that are printed. */
const SHOWN = 150;

const { values } = parseArgs({
  options: {
    placement: { type: 'string', default: 'together' },
    people: { type: 'string', default: '100000' },
    memories: { type: 'string', default: '2000000' },
    /** Seconds in which nobody talks and timers alone run. */
    rest: { type: 'string', default: '90' },
  },
});
const placement = readPlacement('bench:growth', values.placement);
const people = readNumber('people', values.people, 2 * MEASURED.count);
const memories = readNumber('memories', values.memories, 2 * people);
const restMs = readNumber('rest', values.rest, 0) * 1_000;
const keys = Array.from({ length: MEASURED.count }, () => formatApiKey(randomBytes(32)));

// Both run at once and are measured turn by turn, so that other load of the machine meets them alike.
const suites = await Promise.all([startOwnSuite(undefined, placement), startOwnSuite(undefined, placement)]);
const measured: Side[] = [];
let said = 0;
let degradedRecalls = 0;
try {
  await Promise.all(suites.map(using(prepare)));
  console.log(`prepared after ${Math.round(performance.now() / 1_000)} s`);
  await using(fillUp)(suites[1]);
  for (const suite of suites) await suite.restart();
  for (const suite of suites) measured.push(await connect(suite));
  const [alone, filled] = measured as [Side, Side];
  const times = await measure(alone, filled);
  const title = `p50, ms, ${placement}: ${people} people with ${memories} memories beside ${MEASURED.count + 1}`;
  console.log(title);
  console.table(times);
  if (degradedRecalls > 0) console.log(`${degradedRecalls} recalls went without one of their arms`);
  const over = Object.entries(times).filter(([, { ratio }]) => ratio > MARK);
  console.log(
    over.length === 0 ? `all within ${MARK}` : `over ${MARK}: ${over.map(([name]) => name).join(', ')}`,
  );
  const found = await findGrown(alone, filled);
  await writeResult(`growth-${placement}`, { [title]: times, ...found });
} finally {
  await Promise.all(measured.map((side) => side[Symbol.asyncDispose]()));
  await Promise.all(suites.map((suite) => suite[Symbol.asyncDispose]()));
}
process.exit();

/** Makes the people that are measured, with their past. Postgres counts statements after its next start. */
async function prepare(side: Side): Promise<void> {
  const { owner, messenger } = side;
  await prepareCounting(owner);
  await makeLines(owner);
  await takeSpecimens(side);
  await fill(owner, LONGEST, { indexed: false });
  await messenger.enqueue(memoryContract.reindex, {});
  for (;;) {
    const { indexed } = await messenger.ask(memoryContract.stats, { personId: idOfPerson(LONGEST.from) });
    if (indexed >= LINES) break;
    await sleep(POLL_MS);
  }
  await keepVectors(owner, LONGEST.from);
  await fill(owner, MEASURED, { indexed: true, keyHashes: keys.map((key) => hash('sha256', key)) });
  await owner.query('VACUUM ANALYZE');
}

/** Takes a real turn of which something is remembered, felt and promised: the rest is copied from its rows. */
async function takeSpecimens({ suite, owner }: Side): Promise<void> {
  await timedTurn(
    suite.url,
    suite.key,
    'I love my kettle; remind me tomorrow to call mum. I hope the exam goes well.',
  );
  for (;;) {
    const { rows } = await owner.query<{ whole: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM memories WHERE indexed_in IS NOT NULL) AND EXISTS (SELECT 1 FROM prospects)
         AND EXISTS (SELECT 1 FROM affect_events) AND EXISTS (SELECT 1 FROM intentions)
         AND EXISTS (SELECT 1 FROM turns WHERE followed_up_at IS NOT NULL) AS whole`,
    );
    if (firstOf(rows).whole) return keepSpecimens(owner);
    await sleep(POLL_MS);
  }
}

/** Makes everybody else. */
async function fillUp({ owner }: Side): Promise<void> {
  const started = performance.now();
  const from = MEASURED.from + MEASURED.count;
  const count = people - from;
  await fill(owner, { from, count, turnsEach: Math.round(memories / people / 2) }, { indexed: true });
  await owner.query('VACUUM ANALYZE');
  const { rows } = await owner.query<{ size: string }>(
    'SELECT pg_size_pretty(pg_database_size(current_database())) AS size',
  );
  console.log(`filled in ${Math.round((performance.now() - started) / 1_000)} s: ${firstOf(rows).size}`);
}

async function measure(alone: Side, filled: Side) {
  const sides = [alone, filled];
  const talkers = Array.from({ length: TALKERS }, (_, n) => n);
  const strangers = talkers.map((n) => n + TALKERS);
  const longest = talkers.map(() => LONGEST.from - MEASURED.from);
  const turn = (by: (n: number) => number) => async (side: Side, n: number) => {
    const number = said++;
    const message = `Note ${number}: the kettle in room ${number % 17} sings.`;
    return timedTurn(side.suite.url, nth(keys, by(n)), message);
  };
  const recall = (whose: readonly number[]) => (side: Side, n: number) => timedRecall(side, whose, n);
  const byMany = turn((n) => n % TALKERS);
  await eachSide(sides, WARM_UP, byMany);
  await eachSide(sides, WARM_UP, (side, n) => untilRecalled(() => recall(talkers)(side, n)));
  await eachSide(sides, 1, (side) => untilRecalled(() => recall(longest)(side, 0)));
  for (const { owner } of sides) await resetCounts(owner);
  degradedRecalls = 0;
  const byOne = turn(() => 0);
  const row = await eachSide(sides, TURNS, byOne);
  const spaced = await eachSide(sides, TURNS, byMany, SPACED_BY_MS);
  const timesOf = (name: keyof TurnTimes, turns: readonly TurnTimes[][]) =>
    beside(turns.map((side) => side.map((times) => times[name])));
  return {
    'first token, one person in a row': timesOf('firstTokenMs', row),
    'committed, one person in a row': timesOf('doneMs', row),
    [`first token, ${TALKERS} people spaced`]: timesOf('firstTokenMs', spaced),
    [`committed, ${TALKERS} people spaced`]: timesOf('doneMs', spaced),
    'recall, of people who talked': beside(await eachSide(sides, RECALLS, recall(talkers))),
    'recall, of people unheard of since the start': beside(await eachSide(sides, TALKERS, recall(strangers))),
    [`recall, of a person with ${LINES} memories`]: beside(await eachSide(sides, RECALLS, recall(longest))),
  };
}

/** Works on one side after the other, and begins with the other one each time. */
async function eachSide<T>(
  sides: readonly Side[],
  count: number,
  work: (side: Side, n: number) => Promise<T>,
  spacedByMs = 0,
): Promise<T[][]> {
  const results: T[][] = sides.map(() => []);
  for (let n = 0; n < count; n += 1) {
    for (const side of n % 2 === 0 ? sides : sides.toReversed()) {
      present(results[sides.indexOf(side)]).push(await work(side, n));
      if (spacedByMs > 0) await sleep(spacedByMs);
    }
  }
  return results;
}

/** Recalls until it is whole: the first recall reads the person's vectors, and may go by words meanwhile. */
async function untilRecalled(recall: () => Promise<number>): Promise<void> {
  for (let before = -1; before !== degradedRecalls;) {
    before = degradedRecalls;
    await recall().catch(() => (degradedRecalls += 1));
    if (before !== degradedRecalls) await sleep(POLL_MS);
  }
}

async function timedRecall({ messenger }: Side, whose: readonly number[], n: number): Promise<number> {
  const personId = idOfPerson(MEASURED.from + nth(whose, n));
  const started = performance.now();
  const { memories: found, degraded } = await messenger.ask(memoryContract.recall, {
    personId,
    companionId: 'mira',
    audience: 'direct',
    now: new Date().toISOString(),
    countAsUse: false,
    query: `which ${THINGS[n % 10]} did I find near the ${PLACES[(n * 7) % 10]} with number ${n}?`,
  });
  const tookMs = performance.now() - started;
  if (found.length === 0) throw new Error('a recall found nothing');
  if (degraded.length > 0) degradedRecalls += 1;
  return tookMs;
}

function beside([alone, filled]: readonly (readonly number[])[]) {
  const [before, now] = [percentile(present(alone), 0.5), percentile(present(filled), 0.5)];
  return { alone: rounded(before), filled: rounded(now), ratio: rounded(now / before) };
}

/** Lets timers and recurring jobs run as well, then says which statements cost more for all that was filled. */
async function findGrown(alone: Side, filled: Side) {
  await sleep(restMs);
  for (const name of RecurringJobName.options) {
    for (const { suite } of [alone, filled]) await runJob(suite, name);
  }
  await sleep(JOBS_TAKE_MS);
  const grown = grownStatements(await readStatements(alone.owner), await readStatements(filled.owner));
  const scans = await readScans(filled.owner);
  console.log(`statements that cost more than ${MARK} times as much, by time or by pages`);
  console.table(
    grown.map((one) => ({
      statement: one.statement.slice(0, SHOWN),
      calls: one.filled.calls,
      'alone, ms': rounded(one.alone.meanMs),
      'filled, ms': rounded(one.filled.meanMs),
      'alone, pages': Math.round(one.alone.pages),
      'filled, pages': Math.round(one.filled.pages),
    })),
  );
  console.log('tables that were read from beginning to end');
  console.table(scans);
  return { grown, scans };
}

async function runJob({ url, key }: OwnSuite, name: string): Promise<void> {
  const response = await fetch(`${url}/v1/jobs/${name}/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  if (!response.ok) throw new Error(`the job ${name} could not be run: ${await response.text()}`);
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
