import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Files that go first, because they take longest: none of them must begin last. Those that are held to a time come before
 * those that load the machine.
 */
const FIRST = [
  'fault-rounds-apart',
  'deaths.e2e',
  'degraded.e2e',
  'fault-rounds-together',
  'canary',
  'discord.e2e',
  'console.e2e',
];
/** After them go whole suites, then those on real stores, then the rest. */
const SORTS = ['.e2e.', '.integration.', ''];

/** Files that wait for real time more than they work, the longest first. */
const WAITING = [
  'live-replies.integration',
  'catching-up.integration',
  'jobs.integration',
  'companion-registry.integration',
  'messaging/src/outage.integration',
  'connection.integration',
  'recovery.integration',
  'database/src/database/outage.integration',
  'start-stores.integration',
  'model-role.integration',
  'messaging/src/rest.integration',
  'open-turns.integration',
  'with-redis',
];
/** One that works between two that wait: by themselves, those that wait would leave the machine idle. */
const WORKING_BETWEEN = 1;

/** The order of one run over all packages: files of one sort by their size, which says most of how long they take. */
export default class Sequencer {
  sort(tests) {
    const ranked = tests.map((test) => ({ test, rank: rankOf(test.path), bytes: sizeOf(test.path) }));
    const ordered = ranked.sort((a, b) => a.rank - b.rank || b.bytes - a.bytes).map(({ test }) => test);
    const waiting = WAITING.flatMap((name) => ordered.filter(({ path }) => path.includes(name)));
    const working = ordered.filter((test) => !waiting.includes(test));
    return [
      ...waiting.flatMap((test, at) => [
        ...working.slice(at * WORKING_BETWEEN, (at + 1) * WORKING_BETWEEN),
        test,
      ]),
      ...working.slice(waiting.length * WORKING_BETWEEN),
    ];
  }

  /** Jest would note how long each took; a clean clone has no notes. */
  cacheResults() {}
}

/** The size of a suite with its subjects, which it imports from a folder beside it. */
function sizeOf(path) {
  const text = readFileSync(path, 'utf8');
  const subjects = [...text.matchAll(/ from '(\.\/[\w-]+\/[\w-]+)\.js'/g)];
  return subjects.reduce(
    // A page that a test imports is a .tsx file, and no subject.
    (bytes, [, subject]) =>
      bytes + (statSync(join(dirname(path), `${subject}.ts`), { throwIfNoEntry: false })?.size ?? 0),
    Buffer.byteLength(text),
  );
}

function rankOf(path) {
  const at = FIRST.findIndex((name) => path.includes(`/${name}`));
  return at >= 0 ? at : FIRST.length + SORTS.findIndex((sort) => path.includes(sort));
}
