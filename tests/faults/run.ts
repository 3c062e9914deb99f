// Breaks a running suite in every way that is known, and checks that nothing is lost.
//   npm run faults -- --rounds 300 --seed 7 [--only "redis"] [--index exact|qdrant] [--placement apart|together]
//   npm run faults -- --storm duplicates --times 10000
//   npm run faults -- --storm lost-answers --times 500
//   npm run faults -- --storm tool-kills --times 500
//   npm run faults -- --storm redis-outage|postgres-outage|discord-outage --times SECONDS
// A round that breaks an invariant is told with its seed and its whole history; `--only NAME --seed S --rounds 1` plays
// it again.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readNumber } from '../../bench/options.ts';
import type { Fault } from './fault.ts';
import { FAULTS } from './faults.ts';
import { startFaultSuite } from './fault-suite.ts';
import { Ledger, answerOf } from './ledger.ts';
import { readPlacement } from './read-placement.ts';
import { playRound, type RoundResult } from './play-round.ts';
import { Random } from './random.ts';
import { describeBreaches, summarise } from './report.ts';
import { storm } from './storms.ts';
import { Traffic } from './traffic.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    only: { type: 'string' },
    index: { type: 'string', default: 'qdrant' },
    placement: { type: 'string', default: 'apart' },
    /** One fault of each sort in turn, rather than any. */
    spread: { type: 'boolean', default: false },
    storm: { type: 'string' },
    times: { type: 'string', default: '500' },
  },
});
const rounds = values.storm === undefined ? readNumber('rounds', values.rounds) : 1;
const seed = readNumber('seed', values.seed, 0);
const times = readNumber('times', values.times);
const placement = readPlacement('faults', values.placement);
if (values.index !== 'qdrant' && values.index !== 'exact') {
  console.error('faults: --index is qdrant or exact');
  process.exit(2);
}
const storming = values.storm === undefined ? null : storm(values.storm, times);
if (values.storm !== undefined && !storming) {
  console.error(
    'faults: --storm is duplicates, lost-answers, tool-kills, redis-outage, postgres-outage or discord-outage',
  );
  process.exit(2);
}
const wanted = storming ? [storming] : choose(values.only);
if (wanted.length === 0) {
  console.error(
    `faults: none is called like "${values.only}"; there are\n  ${FAULTS.map(({ name }) => name).join('\n  ')}`,
  );
  process.exit(2);
}

const started = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - started) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
say(`seed ${seed}, ${rounds} rounds over ${wanted.length} faults, ${values.index} index, ${placement}`);
const suite = await startFaultSuite({
  index: values.index,
  placement,
  waitsForModel: values.storm === 'tool-kills',
  onProgress: () => undefined,
});
const results: RoundResult[] = [];
try {
  const ledger = new Ledger();
  suite.model.replyWith(({ messages }) => answerOf(ledger, messages));
  const traffic = new Traffic(suite, ledger);
  await traffic.begin();
  await traffic.openDms();
  say('the suite is up');
  const order = new Random(seed);
  let bag: Fault[] = [];
  for (let round = 1; round <= rounds; round++) {
    if (bag.length === 0) bag = values.only === undefined ? order.shuffled(wanted) : [...wanted];
    if (bag.length === wanted.length && values.spread) bag = oneOfEachSort(bag);
    const fault = bag.shift()!;
    const roundSeed = values.only !== undefined && round === 1 ? seed : order.between(0, 2 ** 31);
    const result = await playRound(
      { suite, traffic, ledger },
      { round, fault, seed: roundSeed, ...(fault.talk && { talk: fault.talk }) },
    );
    results.push(result);
    const recovery = result.recoveryMs === null ? '' : `, recovered in ${result.recoveryMs} ms`;
    say(
      `${String(round).padStart(4)}/${rounds} ${fault.name}${result.hit ? '' : ' (did not come to pass)'}: ` +
        `${result.messages} messages, drained in ${result.drainMs} ms${recovery}` +
        (result.breaches.length > 0 ? `, ${result.breaches.length} BREACHES` : ''),
    );
    if (result.breaches.length > 0) {
      const history = await describeBreaches(suite, ledger, result, again(result));
      console.log(history);
      const directory = join(import.meta.dirname, 'results');
      await mkdir(directory, { recursive: true });
      await writeFile(join(directory, `round-${result.seed}.txt`), history);
      await writeFile(join(directory, `round-${result.seed}.log`), result.evidence.logs);
    }
  }
} finally {
  await suite.stop();
}
const summary = summarise(results);
console.table(summary.table);
console.log(summary.line);
// Ends whatever a round may have left open.
process.exit(summary.isPassed ? 0 : 1);

/** Words the command that plays a round again. */
function again(result: RoundResult): string {
  const which =
    values.storm === undefined
      ? `--rounds 1 --only "${result.fault}" --seed ${result.seed}`
      : `--storm ${values.storm} --times ${times} --seed ${seed}`;
  return `npm run faults -- ${which} --placement ${placement} --index ${values.index}`;
}

/** All of them; the one of this name; or else those that have it in theirs. */
function choose(only: string | undefined): Fault[] {
  if (only === undefined) return [...FAULTS];
  const exact = FAULTS.filter(({ name }) => name === only);
  return exact.length > 0 ? exact : FAULTS.filter(({ name }) => name.includes(only));
}

/** The sorts by their first word: kill, redis, model, discord and so on; those first of which there are most. */
function oneOfEachSort(faults: readonly Fault[]): Fault[] {
  const sorts = [...Map.groupBy(faults, ({ name }) => name.split(' ')[0]!).values()];
  const longest = Math.max(...sorts.map((sort) => sort.length));
  return Array.from({ length: longest }, (_, turn) => sorts.flatMap((sort) => sort[turn] ?? [])).flat();
}
