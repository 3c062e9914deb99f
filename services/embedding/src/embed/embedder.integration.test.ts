import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort, startRedis, type RunningRedis } from '@kith/embedded';
import { Redis } from 'ioredis';
import { RedisVectorCache } from '../cache/redis-vector-cache.js';
import { startEmbeddingHost, type EmbeddingHost, type ScriptedAnswer } from '../e2e/embedding-host.js';
import { Embedder, type VectorSource } from './embedder.js';
import { openAiCompatibleProvider } from '../providers/openai-compatible-provider.js';

const DIMENSIONS = 8;
let directory: string;
let server: RunningRedis;
let redis: Redis;
let host: EmbeddingHost;
let cacheFailures = 0;
let served: Partial<Record<VectorSource, number>> = {};
const caches: RedisVectorCache[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-embedding-'));
  server = await startRedis({ directory, port: await freePort(), password: 'secret' });
  redis = new Redis(server.url);
  host = await startEmbeddingHost(DIMENSIONS);
});
afterAll(async () => {
  await Promise.all(caches.map((cache) => cache.close()));
  redis.disconnect();
  await Promise.all([host.stop(), server.stop('SIGKILL')]);
  await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  host.reset();
  await redis.flushall();
  cacheFailures = 0;
  served = {};
});

/** A replica of the service's inside: the real SDK, the real cache. */
async function replica(model = 'bge-m3', redisUrl = server.url, tellsPurposes = false): Promise<Embedder> {
  const provider = openAiCompatibleProvider({
    keySetting: 'EMBEDDING_API_KEY',
    apiKey: 'key',
    baseUrl: `${host.url}/v1`,
    model,
    dimensions: DIMENSIONS,
    maxCharacters: 200,
    tryTimeoutMs: 2_000,
  });
  const cache = new RedisVectorCache({
    url: redisUrl,
    keyPrefix: 'test:',
    ttlMs: 60_000,
    dimensions: DIMENSIONS,
    onFailure: () => (cacheFailures += 1),
  });
  caches.push(cache);
  if (redisUrl === server.url) await untilConnected(cache);
  return new Embedder({ ...provider, tellsPurposes }, cache, {
    served: (source, count) => (served[source] = (served[source] ?? 0) + count),
    called: () => undefined,
  });
}

async function untilConnected(cache: RedisVectorCache): Promise<void> {
  do {
    cacheFailures = 0;
    await cache.read(['probe']);
    await breathe();
  } while (cacheFailures > 0);
}

/** Holds the host's answers back until called. */
function holdAnswers(): () => void {
  let release = (): void => undefined;
  host.gate = new Promise((resolve) => (release = resolve));
  return () => release();
}

describe('the cache', () => {
  it('answers what any replica has computed, bit for bit', async () => {
    const first = await (await replica()).embed(['one', 'two'], 'document');
    const second = await (await replica()).embed(['two', 'three', 'one'], 'document');
    expect([second[2], second[0]]).toEqual(first);
    expect(host.calls.map(({ texts }) => texts)).toEqual([['one', 'two'], ['three']]);
    expect(served).toEqual({ provider: 3, cache: 2 });
  });

  it('keeps models apart, and purposes where the model tells them apart', async () => {
    const embedder = await replica();
    await embedder.embed(['same'], 'query');
    await embedder.embed(['same'], 'document');
    expect(host.calls).toHaveLength(1);
    await (await replica('other')).embed(['same'], 'document');
    expect(host.calls).toHaveLength(2);
    const telling = await replica('telling', server.url, true);
    await telling.embed(['same'], 'query');
    await telling.embed(['same'], 'document');
    expect(host.calls).toHaveLength(4);
  });

  it('holds bytes, not text, and forgets after its time', async () => {
    await (await replica()).embed(['private words'], 'document');
    const [key, ...more] = await redis.keys('*');
    expect(more).toEqual([]);
    expect(key).toMatch(/^test:vectors:openai-bge-m3-8:document:[\w-]{43}$/);
    expect((await redis.getBuffer(key!))!.length).toBe(DIMENSIONS * 4);
    expect(await redis.pttl(key!)).toBeGreaterThan(50_000);
  });

  it('takes a value it can not read for absent', async () => {
    await (await replica()).embed(['x'], 'query');
    const [key] = await redis.keys('*');
    await redis.set(key!, 'rubbish');
    await (await replica()).embed(['x'], 'query');
    expect(host.calls).toHaveLength(2);
  });

  it('does not fail a request when Redis is out of reach', async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const embedder = await replica('bge-m3', url);
    expect(await embedder.embed(['text'], 'query')).toHaveLength(1);
    expect(cacheFailures).toBeGreaterThan(0);
  });
});

describe('under load', () => {
  it('computes a text once that many ask for at the same time', async () => {
    const embedder = await replica();
    const release = holdAnswers();
    const asked = Array.from({ length: 20 }, () => embedder.embed(['same', 'same'], 'query'));
    release();
    const answers = (await Promise.all(asked)).flat();
    expect(host.calls.map(({ texts }) => texts)).toEqual([['same']]);
    expect(new Set(answers.map((vector) => vector.join())).size).toBe(1);
    expect(served).toEqual({ provider: 1, 'in-flight': 19 });
  });

  it('merges requests that come together, and gives each its own vectors', async () => {
    const embedder = await replica();
    const texts = Array.from({ length: 30 }, (_, index) => `text ${index}`);
    const answers = await Promise.all(texts.map((text) => embedder.embed([text], 'document')));
    expect(host.calls.length).toBeLessThan(5);
    expect(answers.flat()).toEqual(await (await replica()).embed(texts, 'document'));
  });

  it('never sends more than the batch size in one call', async () => {
    const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`);
    await (await replica()).embed(texts, 'document');
    expect(Math.max(...host.calls.map(({ texts: sent }) => sent.length))).toBeLessThanOrEqual(96);
    expect(host.calls.flatMap(({ texts: sent }) => sent).sort()).toEqual([...texts].sort());
  });

  it('embeds as much of a text as its host takes, and fails none that it travels with', async () => {
    const refusal = { status: 413, body: { error: { message: 'too many tokens' } } };
    host.judge = ({ texts }) => (texts.some((text) => text.length > 70) ? refusal : null);
    const embedder = await replica();
    const long = '\u{1f642}'.repeat(100);
    const vectors = await embedder.embed(['a', long, 'b'], 'document');
    expect(host.calls.map(({ texts }) => texts)).toContainEqual([long.slice(0, 50)]);
    expect(await embedder.embed(['a', long, 'b'], 'query')).toEqual(vectors);
    expect(vectors).toEqual(await (await replica('other')).embed(['a', long.slice(0, 50), 'b'], 'document'));
  });

  it('gives a document that its host refuses altogether a vector that says nothing, and a question none', async () => {
    const embedder = await replica();
    const [stand] = await embedder.embed(['-'], 'document');
    host.judge = ({ texts }) =>
      texts.some((text) => text.startsWith('refused')) ? { status: 400, body: { error: {} } } : null;
    const texts = ['a', 'b', `refused${' again'.repeat(20)}`, 'c', 'd'];
    const asked = await Promise.allSettled(texts.map((text) => embedder.embed([text], 'query')));
    expect(asked.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(asked[2]).toMatchObject({ reason: { code: 'invalid_request' } });
    expect((await embedder.embed(texts, 'document'))[2]).toEqual(stand);
    await expect(embedder.embed(texts, 'query')).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('asks for the vector that says nothing once for all halves of a refused batch', async () => {
    host.judge = ({ texts }) =>
      texts.some((text) => text.startsWith('refused')) ? { status: 400, body: { error: {} } } : null;
    const texts = Array.from(
      { length: 16 },
      (_, index) => `${index % 2 === 0 ? 'refused' : 'text'} ${index}`,
    );
    expect(await (await replica()).embed(texts, 'document')).toHaveLength(16);
    expect(host.calls.filter((call) => call.texts.includes('-'))).toHaveLength(1);
  });

  it('does not ask a host for each text alone that refuses everything', async () => {
    host.judge = () => ({ status: 400, body: { error: {} } });
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    await expect((await replica()).embed(texts, 'document')).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(host.calls).toHaveLength(2);
  });

  it('does not let a document without a vector fail those it travels with', async () => {
    host.judge = ({ texts }) => ({
      status: 200,
      body: {
        object: 'list',
        data: texts.map((text, index) => ({
          object: 'embedding',
          index,
          embedding: Array.from({ length: DIMENSIONS }, () => (text.startsWith('blank') ? 0 : 1)),
        })),
      },
    });
    const embedder = await replica();
    // Texts of one request surely travel together: a call with blank ones alone is the host's own failure.
    const requests = [['a'], ['b', 'blank 1'], ['c', 'blank 2'], ['d']];
    const vectors = await Promise.all(requests.map((texts) => embedder.embed(texts, 'document')));
    expect(vectors.flat()).toHaveLength(6);
  });

  it.each<[string, (texts: readonly string[]) => ScriptedAnswer]>([
    ['answers 500 at it', () => ({ status: 500, body: { error: { message: 'unsupported value: NaN' } } })],
    [
      'makes no numbers of it',
      (texts) => ({
        status: 200,
        body: { data: texts.map((_, index) => ({ index, embedding: Array(DIMENSIONS).fill(null) })) },
      }),
    ],
  ])(
    'gives a text a vector of its beginning where its host %s, and fails none beside it',
    async (_, answer) => {
      host.judge = ({ texts }) => (texts.some((text) => text.includes('poison')) ? answer(texts) : null);
      const embedder = await replica();
      const poisoned = `${'some words '.repeat(7)} poison`;
      const [beside, of] = await embedder.embed(['a', poisoned], 'document');
      host.judge = null;
      expect([beside, of]).toEqual(
        await (await replica('other')).embed(['a', poisoned.slice(0, poisoned.length >> 1)], 'document'),
      );
    },
  );

  it('gives a slow host fewer texts at once', async () => {
    host.judge = ({ texts }) => (texts.length > 2 ? 'hang' : null);
    expect(await (await replica()).embed(['a', 'b', 'c', 'd'], 'document')).toHaveLength(4);
    expect(host.calls.map(({ texts }) => texts.join(' '))).toEqual(['a b c d', '-', '-', 'a b', 'c d']);
  });

  it('takes a host that does not answer for one that is down', async () => {
    host.judge = () => 'hang';
    const embedded = (await replica()).embed(['a', 'b'], 'document');
    await expect(embedded).rejects.toMatchObject({ code: 'unavailable', details: { kind: 'timeout' } });
    expect(host.calls.map(({ texts }) => texts.join(' '))).toEqual(['a b', '-']);
  });

  it('takes a host that fails at every text for one that is down', async () => {
    host.judge = () => ({ status: 500, body: {} });
    const embedded = (await replica()).embed(['a', 'b'], 'document');
    await expect(embedded).rejects.toMatchObject({ code: 'unavailable', details: { kind: 'overloaded' } });
    expect(host.calls.map(({ texts }) => texts.join(' '))).toEqual(['a b', 'a b', 'a b', '-']);
  });

  it('takes nothing but vectors without direction for a failure of the host, and does not ask for each text alone', async () => {
    host.judge = ({ texts }) => ({
      status: 200,
      body: {
        object: 'list',
        data: texts.map((_, index) => ({
          object: 'embedding',
          index,
          embedding: Array.from({ length: DIMENSIONS }, () => 0),
        })),
      },
    });
    const texts = Array.from({ length: 40 }, (_, index) => `text ${index}`);
    await expect((await replica()).embed(texts, 'document')).rejects.toMatchObject({
      code: 'unavailable',
      details: { kind: 'garbled' },
    });
    expect(host.calls.length).toBeLessThan(5);
  });

  it('cuts a text that is longer than the model reads', async () => {
    await (await replica()).embed(['y'.repeat(5_000)], 'document');
    expect(host.calls[0]!.texts[0]).toHaveLength(200);
  });
});

describe('when the provider fails', () => {
  it('tries again after an overload, and asks nobody else', async () => {
    host.script.push({ status: 503, body: {} }, 'cut');
    expect(await (await replica()).embed(['text'], 'query')).toHaveLength(1);
    expect(host.calls).toHaveLength(3);
  });

  it('is unavailable, never in another space, once its tries are used up', async () => {
    const overloaded = { status: 503, body: {} };
    host.script.push(overloaded, overloaded, overloaded);
    await expect((await replica()).embed(['text'], 'query')).rejects.toMatchObject({
      code: 'unavailable',
      details: { provider: 'openai', kind: 'overloaded' },
    });
    expect(host.calls).toHaveLength(3);
  });

  it('says which setting mends a refused key, without repeating the call', async () => {
    host.script.push({ status: 401, body: { error: { message: 'bad key' } } });
    await expect((await replica()).embed(['text'], 'query')).rejects.toThrow(/set EMBEDDING_API_KEY/);
    expect(host.calls).toHaveLength(1);
  });

  it('asks again for a text whose last call failed', async () => {
    const embedder = await replica();
    host.script.push({ status: 401, body: {} });
    await expect(embedder.embed(['text'], 'query')).rejects.toThrow();
    expect(await embedder.embed(['text'], 'query')).toHaveLength(1);
  });
});
