// Recall latency through the RPC with many memories of one person, with the vectors of the house or of a scripted host whose
// answers are cached.
//   npm run bench:recall [-- --embedder offline|scripted] [--placement apart|together]
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { memoryContract } from '@kith/contracts';
import { readPlacement } from '../tests/faults/read-placement.ts';
import { spread, writeResult } from './figures.ts';
import { scriptedEmbedding, startOwnSuite } from './own-suite.ts';
import { PLACES, THINGS, sentence } from './sentences.ts';
import { connect } from './side.ts';

const SIZES = [1_000, 10_000];
const QUERIES = 1_000;
/** Recalls after which the engine has compiled what a service runs all day. */
const WARM_UP = 300;
const { values } = parseArgs({
  options: {
    embedder: { type: 'string', default: 'offline' },
    placement: { type: 'string', default: 'apart' },
  },
});
const placement = readPlacement('bench:recall', values.placement);
if (!['offline', 'scripted'].includes(values.embedder)) {
  console.error(`--embedder ${values.embedder} is not known: offline or scripted`);
  process.exit(2);
}
const isScripted = values.embedder === 'scripted';
/** A vector of 384 numbers, as most encoders for one's own machine give. */
const ENCODER = { EMBEDDING_MODEL: 'text-embedding-3-small', EMBEDDING_DIMENSIONS: '384' };
await using suite = await startOwnSuite(
  (model) => (isScripted ? { ...scriptedEmbedding(model), ...ENCODER } : {}),
  placement,
);
await using side = await connect(suite);
const { messenger, owner } = side;
const result: Record<string, object> = {};
for (const size of SIZES) {
  const personId = await fill(size);
  await untilIndexed(personId, size);
  await warmUp(personId);
  // Questions that were asked before have their vectors in the cache.
  if (isScripted) await recallTimes(personId, QUERIES);
  const times = await recallTimes(personId, QUERIES);
  result[`${size} memories`] = spread(times);
}
console.log('recall through the RPC, ms');
console.table(result);
await writeResult('recall', result);

/** Writes rows as the service would. Its own reindex embeds and indexes them. */
async function fill(size: number): Promise<string> {
  const personId = randomUUID();
  await owner.query(`INSERT INTO people (person_id, display_name) VALUES ($1, 'bench')`, [personId]);
  const texts = Array.from({ length: size }, (_, n) => sentence(n));
  await owner.query(
    `INSERT INTO memories (id, person_id, companion_id, kind, text, content_hash, audience, writer, importance, said_at, sources)
     SELECT gen_random_uuid(), $1, 'mira', 'episode', t, md5(t), 'direct', 'person', 1 + (n % 10),
            now() - n * interval '1 hour', ARRAY['m' || n]
     FROM unnest($2::text[]) WITH ORDINALITY AS list(t, n)`,
    [personId, texts],
  );
  await messenger.enqueue(memoryContract.reindex, {});
  return personId;
}

async function untilIndexed(personId: string, size: number): Promise<void> {
  for (;;) {
    const { indexed } = await messenger.ask(memoryContract.stats, { personId });
    if (indexed >= size) return;
    await sleep(250);
  }
}

/** Recalls until it is whole: the first recall reads the person's vectors, and may go by words meanwhile. */
async function warmUp(personId: string): Promise<void> {
  while (!(await recallTimes(personId, WARM_UP).catch(() => null))) await sleep(200);
}

async function recallTimes(personId: string, queries: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < queries; n += 1) {
    const started = performance.now();
    const { memories, degraded } = await messenger.ask(memoryContract.recall, {
      personId,
      companionId: 'mira',
      audience: 'direct',
      query: `which ${THINGS[n % 10]} did I find near the ${PLACES[(n * 7) % 10]} with number ${n}?`,
      now: new Date().toISOString(),
      countAsUse: false,
    });
    times.push(performance.now() - started);
    if (memories.length === 0 || degraded.length > 0) throw new Error('a recall was empty or degraded');
  }
  return times;
}
