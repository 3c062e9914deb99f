// The same messages through Kith, ElizaOS and Mem0, against the same scripted model, side by side.
//   npm run bench:peers -- [--rounds 3] [--messages 60] [--memories 1000,10000] [--only kith,mem0]
// ElizaOS runs on its PGlite, and on a Postgres with pgvector where PEERS_DATABASE_URL names one. Peers are installed
// outside of this checkout and started in processes of their own.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ScriptedModel } from '@kith/testing';
import pg from 'pg';
import { FOLLOWED_MS } from './process-costs.ts';
import { oneDigit, percentile, writeResult } from './figures.ts';
import { readNumber } from './options.ts';
import { startKith, startPeer, type Contender } from './peers/contenders.ts';
import { installPeer } from './peers/scratch.ts';
import { PLACES, sentence, THINGS } from './sentences.ts';

const ELIZAOS = {
  '@elizaos/core': '1.7.2',
  '@elizaos/plugin-sql': '1.7.2',
  '@elizaos/plugin-bootstrap': '1.7.2',
  '@elizaos/plugin-openai': '1.6.0',
};
/** Its stores of vectors are better-sqlite3's and Postgres', whose clients it leaves to its user to install. */
const MEM0 = { mem0ai: '3.3.1', 'better-sqlite3': '12.6.2', pg: '8.13.3' };
const WARM_UP = 15;
const IN_FLIGHT = 16;
const AT_ONCE = 96;
const WRITES_AT_ONCE = 8;
const SEARCHES = 50;
/** Reply of every peer, in the form that ElizaOS asks its model for; plain text to the others. */
const REPLY = 'Thank you for telling me. I will keep that in mind; tell me more when you like.';
const ELIZA_REPLY = `<response><thought>They told me something.</thought><actions>REPLY</actions><providers></providers><text>${REPLY}</text></response>`;
const STANDARD = 'ElizaOS, Postgres';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    messages: { type: 'string', default: '60' },
    /** Sizes at which a person's memories are searched, in rising order; empty: none. */
    memories: { type: 'string', default: '1000,10000' },
    /** Products, by the first word of their names; empty: all. */
    only: { type: 'string', default: '' },
  },
});
const wanted = values.only.toLowerCase().split(',').filter(Boolean);
if (!wanted.every((name) => ['kith', 'elizaos', 'mem0'].includes(name))) {
  console.error('bench:peers: --only takes kith, elizaos and mem0, with commas between them');
  process.exit(2);
}
const rounds = readNumber('rounds', values.rounds);
const messages = readNumber('messages', values.messages);
const sizes =
  values.memories === '' ? [] : values.memories.split(',').map((size) => readNumber('memories', size));

type Figures = Record<string, number>;
const model = await ScriptedModel.start();
model.replyWith(({ messages: asked }) =>
  asked.some(({ text }) => text.includes('<response>')) ? ELIZA_REPLY : REPLY,
);
const databaseUrl = process.env['PEERS_DATABASE_URL'];
const starters = new Map<string, () => Promise<Contender>>();
if (isWanted('Kith')) {
  starters.set('Kith, together', () => startKith('together'));
  starters.set('Kith, apart', () => startKith('apart'));
}
await offer('ElizaOS', ELIZAOS, 'run-elizaos.mjs', true, [
  ['ElizaOS, PGlite', async () => ({})],
  ...(databaseUrl ? [[STANDARD, () => freshDatabase(databaseUrl)] as const] : []),
]);
if (!databaseUrl && isWanted('ElizaOS'))
  console.log(`${STANDARD}: left out, PEERS_DATABASE_URL names no Postgres with pgvector`);
await offer('Mem0', MEM0, 'run-mem0.mjs', false, [
  ['Mem0, SQLite', async () => ({})],
  ...(databaseUrl ? [['Mem0, Postgres', () => freshDatabase(databaseUrl)] as const] : []),
]);

const found = new Map<string, Figures[]>();
for (let round = 1; round <= rounds; round += 1) {
  for (const [name, start] of starters) {
    try {
      const figures = await measure(start);
      found.set(name, [...(found.get(name) ?? []), figures]);
      console.log(`round ${round}, ${name}: ${JSON.stringify(figures)}`);
    } catch (error) {
      starters.delete(name);
      // Medians of fewer rounds would stand beside those of all.
      found.delete(name);
      console.log(`${name}: left out, ${(error as Error).message}`);
    }
  }
}
const medians = Object.fromEntries([...found].map(([name, each]) => [name, mediansOf(each)]));
console.log(`medians of ${rounds} rounds`);
console.table(medians);
const ratios = Object.fromEntries(
  Object.entries(medians)
    .filter(([name]) => !name.startsWith('Kith'))
    .flatMap(([name, peer]) =>
      ['Kith, together', 'Kith, apart'].map((own) => [
        `${name} / ${own}`,
        ratiosOf(peer, medians[own] ?? {}),
      ]),
    ),
);
console.log('peers against Kith');
console.table(ratios);
await writeResult('peers', { medians, ratios });
await model.stop();
process.exit();

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.includes(name.toLowerCase());
}

/** Adds a peer in its variants, or says why there is none. */
async function offer(
  name: string,
  packages: Readonly<Record<string, string>>,
  runner: string,
  answers: boolean,
  variants: readonly (readonly [string, () => Promise<{ databaseUrl?: string }>])[],
): Promise<void> {
  if (!isWanted(name)) return;
  try {
    const folder = await installPeer(
      name.toLowerCase(),
      packages,
      [runner, 'serve.mjs'].map((file) => join(import.meta.dirname, 'peers', file)),
    );
    for (const [variant, environment] of variants)
      starters.set(variant, async () => startPeer({ folder, runner, model, answers }, await environment()));
  } catch (error) {
    console.log(`${name}: left out, ${(error as Error).message}`);
  }
}

/** Makes an empty database beside the named one, so that each round begins with nothing. */
async function freshDatabase(url: string): Promise<{ databaseUrl: string }> {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    await owner.query('DROP DATABASE IF EXISTS kith_peers WITH (FORCE)');
    await owner.query('CREATE DATABASE kith_peers');
  } finally {
    await owner.end();
  }
  const fresh = new URL(url);
  fresh.pathname = '/kith_peers';
  return { databaseUrl: fresh.href };
}

async function measure(start: () => Promise<Contender>): Promise<Figures> {
  const contender = await start();
  if (contender.model !== model) contender.model.replyWith(() => REPLY);
  try {
    return { ...(await measureTalk(contender)), ...(await measureMemory(contender)) };
  } finally {
    await contender.stop();
  }
}

async function measureTalk({ say, usage, model: asked }: Contender): Promise<Figures> {
  if (say === null) return {};
  let said = 0;
  const next = (person: number) => say(`Person ${person}`, `Note ${said++}: ${sentence(said * 7)}`);
  for (let n = 0; n < WARM_UP; n += 1) await next(0);
  for (let person = 1; person < IN_FLIGHT; person += 1) await next(person);
  await sleep(FOLLOWED_MS);
  const before = await usage();
  const promptsBefore = asked.tokens.prompt;
  const row = [];
  for (let n = 0; n < messages; n += 1) row.push(await next(0));
  await sleep(FOLLOWED_MS);
  const after = await usage();
  const prompts = asked.tokens.prompt - promptsBefore;
  const started = performance.now();
  // Each message is of another person: several of one before an answer are a burst, and get fewer replies.
  await inFlight(AT_ONCE, IN_FLIGHT, async (_, person) => {
    await next(person);
  });
  const seconds = (performance.now() - started) / 1_000;
  const first = row.map(({ firstReplyMs }) => firstReplyMs);
  const whole = row.map(({ wholeMs }) => wholeMs);
  return {
    'first reply p50, ms': percentile(first, 0.5),
    'first reply p95, ms': percentile(first, 0.95),
    'whole message p50, ms': percentile(whole, 0.5),
    'whole message p95, ms': percentile(whole, 0.95),
    'CPU, ms a message': (after.cpuMs - before.cpuMs) / messages,
    'messages a second': AT_ONCE / seconds,
    'prompt tokens a message': prompts / messages,
    'resident, MB': (await usage()).megabytes,
  };
}

async function measureMemory({ write, search }: Contender): Promise<Figures> {
  const person = 'Keeper';
  const figures: Figures = {};
  let kept = 0;
  let writingMs = 0;
  for (const size of sizes) {
    const started = performance.now();
    const from = kept;
    await inFlight(size - from, WRITES_AT_ONCE, (n) => write(person, sentence(from + n)));
    writingMs += performance.now() - started;
    kept = size;
    const times = [];
    for (let n = -5; n < SEARCHES; n += 1) {
      const asked = performance.now();
      const many = await search(
        person,
        `which ${THINGS.at(n % 10)} did I find near the ${PLACES.at(n % 7)}?`,
      );
      if (many === 0) throw new Error(`it found nothing among ${size} memories`);
      if (n >= 0) times.push(performance.now() - asked);
    }
    figures[`search of ${size} p50, ms`] = percentile(times, 0.5);
  }
  if (kept > 0) figures['writes a second'] = kept / (writingMs / 1_000);
  return figures;
}

/** Does work so many at a time, each begun as soon as another is done. */
async function inFlight(
  count: number,
  width: number,
  work: (n: number, place: number) => Promise<void>,
): Promise<void> {
  let begun = 0;
  await Promise.all(
    Array.from({ length: width }, async (_, place) => {
      while (begun < count) await work(begun++, place);
    }),
  );
}

function mediansOf(rows: readonly Figures[]): Figures {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      oneDigit(
        percentile(
          rows.map((row) => row[name] ?? Number.NaN),
          0.5,
        ),
      ),
    ]),
  );
}

/** Works out how many times better Kith is. Of rates a second, more is better. */
function ratiosOf(peer: Figures, own: Figures): Figures {
  return Object.fromEntries(
    Object.entries(peer).flatMap(([name, value]) => {
      const mine = own[name];
      if (mine === undefined) return [];
      return [[name, oneDigit(name.endsWith('a second') ? mine / value : value / mine)]];
    }),
  );
}
