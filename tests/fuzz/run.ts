// Sends the suite what nobody should: every route with wrong and hostile input, frames, files, events of Discord, bytes
// that are no HTTP, and texts that are made to keep a rule busy. The same seed sends the same, as far as ids go.
//   npm run fuzz -- --seed 7 --requests 100000 --messages 10000 [--seconds S] [--placement apart|together]
//   npm run fuzz -- --url http://localhost:3000 --key kth_…    a suite that runs already; its data will not be spared
import { parseArgs } from 'node:util';
import { readNumber } from '../../bench/options.ts';
import { answersWithin, Fuzz } from './fuzz.ts';
import { aimAt, startFuzzSuite } from './fuzz-suite.ts';
import { readPlacement } from '../faults/read-placement.ts';
import { talkHonestly } from './talk-honestly.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 100_000) },
    requests: { type: 'string', default: '5000' },
    messages: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '86400' },
    /** Longer on a machine that has other work to do. */
    'longest-wait-ms': { type: 'string', default: '5000' },
    url: { type: 'string' },
    key: { type: 'string' },
    placement: { type: 'string', default: 'apart' },
  },
});
const seed = readNumber('seed', values.seed, 0);
const requests = readNumber('requests', values.requests, 0);
const messages = readNumber('messages', values.messages, 0);
const seconds = readNumber('seconds', values.seconds, 0);
const longestWaitMs = readNumber('longest-wait-ms', values['longest-wait-ms']);
const placement = readPlacement('fuzz', values.placement);
if ((values.url === undefined) !== (values.key === undefined)) {
  console.error('fuzz: --url and --key go together: the suite, and an operator’s key of it');
  process.exit(2);
}

/** Time an idle service takes to answer; past this something in it is busy. */
const PROMPT_MS = 100;
/** Lines of what died; the first death tells most. */
const MAX_LAST_WORDS = 40;
/** Time for the work under way when the last hostile message was sent. */
const CALM_WITHIN_MS = 60_000;

const started = performance.now();
const say = (line: string) =>
  console.log(`${((performance.now() - started) / 1_000).toFixed(0).padStart(5)} s  ${line}`);
const suite = values.url === undefined ? await startFuzzSuite(placement) : aimAt(values.url, values.key!);
const problems: string[] = [];
// Whoever ends the run ends its suite as well.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void suite.stop().finally(() => process.exit(1)));
try {
  say(`seed ${seed}: ${requests} requests, ${messages} hostile messages`);
  const me = (await (
    await fetch(`${suite.url}/v1/me`, { headers: { authorization: `Bearer ${suite.key}` } })
  ).json()) as { personId: string };
  const { keys } = (await (
    await fetch(`${suite.url}/v1/keys?limit=200&person=${me.personId}`, {
      headers: { authorization: `Bearer ${suite.key}` },
    })
  ).json()) as { keys: { id: string }[] };
  const guarded = new Set([me.personId, ...keys.map(({ id }) => id)]);
  const options = { seed, requests, messages, seconds, longestWaitMs, onProgress: say };
  const report = await new Fuzz(suite, options, guarded).run();
  const calmFrom = performance.now();
  for (const [name, url] of suite.services) {
    const left = Math.max(0, CALM_WITHIN_MS - (performance.now() - calmFrom));
    const tookMs = await answersWithin(url, PROMPT_MS, left);
    if (tookMs === null) problems.push(`${name} does not answer within ${PROMPT_MS} ms a minute later`);
  }
  say(`every service was asked again after ${Math.round((performance.now() - calmFrom) / 1_000)} s`);
  const honest = await talkHonestly(suite);
  if (honest !== null) problems.push(honest);
  problems.push(...suite.deaths);
  problems.push(...report.missed.map((route) => `${route} was sent nothing`));
  for (const [route, statuses] of [...report.statuses].toSorted(([a], [b]) => a.localeCompare(b)))
    console.log(
      `  ${route.padEnd(50)} ${[...statuses]
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${status} × ${count}`)
        .join(', ')}`,
    );
  for (const problem of problems) say(`PROBLEM: ${problem}`);
  if (suite.deaths.length > 0) console.log((await suite.lastWords()).slice(0, MAX_LAST_WORDS).join('\n'));
  console.log(
    `${report.requests} requests, ${report.messages} hostile messages, slowest answer ${Math.round(report.slowestMs)} ms, ` +
      `${report.faults.length} faults, ${problems.length} problems`,
  );
  process.exitCode = report.faults.length + problems.length > 0 ? 1 : 0;
} finally {
  await suite.stop();
}
// Ends whatever a round may have left open.
process.exit();
