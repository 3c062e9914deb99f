// Hours in small: people talk without a pause while something breaks every minute, and memory must not grow.
//   npm run soak -- --minutes 30 --rate 5 [--seed 7] [--placement apart|together]
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readNumber } from '../../bench/options.ts';
import { residentMegabytes } from '../../bench/process-costs.ts';
import { FAULTS } from './faults.ts';
import { startFaultSuite } from './fault-suite.ts';
import { Ledger, answerOf } from './ledger.ts';
import { playRound, type RoundResult } from './play-round.ts';
import { readPlacement } from './read-placement.ts';
import { Random } from './random.ts';
import { describeBreaches, summarise } from './report.ts';
import { Traffic } from './traffic.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    placement: { type: 'string', default: 'apart' },
  },
});
const placement = readPlacement('soak', values.placement);
/** Minutes after the warm-up, and at the end, whose medians are compared. */
const COMPARED_MINUTES = 3;
/** In fewer, the two would share a minute. */
const LEAST_MINUTES = 8;
const minutes = readNumber('minutes', values.minutes, LEAST_MINUTES);
const rate = readNumber('rate', values.rate);
const seed = readNumber('seed', values.seed, 0);
const again = `npm run soak -- --minutes ${minutes} --rate ${rate} --seed ${seed} --placement ${placement}`;
/** Caches fill and code is compiled: what grows in these minutes is no leak. */
const WARM_UP_MINUTES = Math.min(5, Math.floor(minutes / 3));
const MAX_GROWTH = 0.05;
/** A minute's talk; the rest of it is for settling. */
const TALK_MS = 52_000;

const suite = await startFaultSuite({ index: 'qdrant', placement, onProgress: () => undefined });
const results: RoundResult[] = [];
const samples: Record<string, number[]> = {};
try {
  const ledger = new Ledger();
  suite.model.replyWith(({ messages }) => answerOf(ledger, messages));
  const traffic = new Traffic(suite, ledger);
  await traffic.begin();
  await traffic.openDms();
  // A process that ended begins with a small memory again: that hides what it leaks, and what it takes to warm up
  // looks like a leak.
  const faults = FAULTS.filter(
    ({ kills, restartsProcesses, name }) => !kills && !restartsProcesses && !name.startsWith('flood'),
  );
  const random = new Random(seed);
  for (let minute = 1; minute <= minutes; minute++) {
    const began = performance.now();
    const talk = { count: Math.round((rate * TALK_MS) / 1_000), withinMs: TALK_MS };
    const result = await playRound(
      { suite, traffic, ledger },
      { round: minute, fault: random.pick(faults), seed: random.between(0, 2 ** 31), talk },
    );
    results.push(result);
    const now = await residentMegabytes(suite.stack);
    for (const [service, megabytes] of Object.entries(now)) (samples[service] ??= []).push(megabytes);
    console.log(
      `${String(minute).padStart(3)}/${minutes} ${result.fault}: ${result.messages} messages, ` +
        `${result.breaches.length} breaches; MB: ${Object.entries(now)
          .map((pair) => pair.join(' '))
          .join(', ')}`,
    );
    if (result.breaches.length > 0) console.log(await describeBreaches(suite, ledger, result, again));
    // What was checked is checked; the doubles' journals are not to be what grows.
    suite.model.requests.length = 0;
    await sleep(Math.max(0, 60_000 - (performance.now() - began)));
  }
} finally {
  await suite.stop();
}
const growth = Object.fromEntries(
  Object.entries(samples).map(([service, sizes]) => {
    const [before, after] = [
      median(sizes.slice(WARM_UP_MINUTES, WARM_UP_MINUTES + COMPARED_MINUTES)),
      median(sizes.slice(-COMPARED_MINUTES)),
    ];
    return [
      service,
      {
        'after warm-up, MB': before,
        'at the end, MB': after,
        growth: `${Math.round((after / before - 1) * 1_000) / 10} %`,
      },
    ];
  }),
);
console.table(growth);
const summary = summarise(results);
console.log(summary.line);
const leaks = Object.values(growth).some(
  (row) => row['at the end, MB'] > row['after warm-up, MB'] * (1 + MAX_GROWTH),
);
// Ends whatever a round may have left open.
process.exit(!leaks && summary.isPassed ? 0 : 1);

function median(sizes: readonly number[]): number {
  return sizes.toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)] ?? Number.NaN;
}
