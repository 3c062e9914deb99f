import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SuiteHealth, type TurnView } from '@kith/contracts';
import type { ServiceName } from '@kith/embedded';
import { FaultProxy, QdrantDouble, ScriptedModel, eventually } from '@kith/testing';
import { chromium, type Browser } from 'playwright-core';
import { CHROMIUM } from './chromium.js';
import { METRICS_TOKEN, startSuite, type Suite } from './suite.js';

let suite: Suite;
let qdrant: QdrantDouble;
let model: ScriptedModel;
let person: { key: string; personId: string };
/** Dependencies of the services that a test can make fail. */
const networks = {} as Record<'redis' | 'vectors' | 'embedding' | 'chat' | 'fast', FaultProxy>;

beforeAll(async () => {
  [qdrant, model] = await Promise.all([QdrantDouble.start(), ScriptedModel.start()]);
  const portOf = (url: string) => ({ port: Number(new URL(url).port) });
  networks.vectors = await FaultProxy.start(portOf(qdrant.url));
  for (const name of ['embedding', 'chat', 'fast'] as const) {
    networks[name] = await FaultProxy.start(portOf(model.url));
  }
  const at = (name: keyof typeof networks) => `http://127.0.0.1:${networks[name].port}`;
  suite = await startSuite(async ({ redis }) => {
    networks.redis = await FaultProxy.start({ port: redis });
    return {
      REDIS_URL: `redis://:redis@127.0.0.1:${networks.redis.port}`,
      VECTOR_INDEX: 'qdrant',
      QDRANT_URL: at('vectors'),
      EMBEDDING_PROVIDER: 'openai',
      EMBEDDING_API_KEY: 'any',
      EMBEDDING_BASE_URL: `${at('embedding')}/v1`,
      EMBEDDING_DIMENSIONS: '64',
      CHAT_MODELS: 'compatible:scripted',
      COMPATIBLE_BASE_URL: `${at('chat')}/v1`,
      FAST_MODELS: 'groq:scripted',
      GROQ_API_KEY: 'any',
      GROQ_BASE_URL: at('fast'),
    };
  });
  person = await suite.newPerson('Ada');
  await say('My cat is called Tuesday.');
  await eventually('the memory in the index', () => pointsOf(person.personId).length > 0);
}, 180_000);

/** Mends what a test broke, also where it failed. */
afterEach(async () => {
  for (const network of Object.values(networks)) await network.set('open');
});

afterAll(async () => {
  await suite.stop();
  for (const network of Object.values(networks)) await network.stop();
  await Promise.all([qdrant.stop(), model.stop()]);
});

const say = (message: string): Promise<TurnView> => suite.say(message, { key: person.key });

const pointsOf = (personId: string) => qdrant.idsWith('person_id', personId);

async function health(): Promise<SuiteHealth> {
  return SuiteHealth.parse((await suite.api('/v1/health')).body);
}

/** Reads the parts a service goes on without, as anybody with a key can. */
async function lacking(service: ServiceName): Promise<string[]> {
  const { services } = await health();
  return services.find((each) => each.service === service)!.degraded.map(({ part }) => part);
}

/** Reads whether a part lacks, as Prometheus does. */
async function gauge(service: ServiceName, part: string): Promise<number | undefined> {
  const text = await (
    await fetch(`${suite.stack.service(service).url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    })
  ).text();
  const line = new RegExp(`^kith_degraded\\{[^}]*part="${part}"[^}]*\\} (\\d)$`, 'm').exec(text);
  return line ? Number(line[1]) : undefined;
}

async function isEntered(service: ServiceName, part: string): Promise<void> {
  await eventually(`${part} missing at ${service}`, async () => (await lacking(service)).includes(part));
  expect((await health()).status).toBe('degraded');
  expect(await gauge(service, part)).toBe(1);
}

/** Nobody does anything for it: a probe finds out. */
async function isLeft(service: ServiceName, part: string): Promise<void> {
  await eventually(
    `${part} back at ${service}`,
    async () => !(await lacking(service)).includes(part),
    60_000,
  );
  expect(await gauge(service, part)).toBe(0);
}

describe('without the vector store', () => {
  it('recall goes by Postgres’ text search, the reply says so, and it is over by itself', async () => {
    await networks.vectors.set('refuse');
    const turn = await say('What is my cat called?');
    expect(turn).toMatchObject({ outcome: 'answered', degraded: ['dense', 'lexical'] });
    expect(turn.recalled.map(({ text }) => text).join()).toContain('Tuesday');
    await isEntered('memory', 'vector-store');
    const memory = (await health()).services.find(({ service }) => service === 'memory');
    expect(memory).toMatchObject({ ready: true, dependencies: { index: { up: false } } });
    await networks.vectors.set('open');
    await isLeft('memory', 'vector-store');
    const isWhole = async () => (await say('And what is my cat called?')).degraded.length === 0;
    await eventually('a turn that lacks nothing', isWhole, 60_000);
  }, 120_000);

  it('what is forgotten is told to no model any more, and its points go when the store is back', async () => {
    const { key, personId } = await suite.newPerson('Bea');
    await suite.say('My boat is called Zephyrine.', { key });
    await eventually('the memory in the index', () => pointsOf(personId).length > 0);
    await networks.vectors.set('refuse');
    const points = pointsOf(personId);
    const forgotten = await suite.api('/v1/memories/forget', { key, body: { all: true } });
    expect(forgotten).toMatchObject({ status: 200, body: { points: 0, lines: 2 } });
    const [order] = await suite.query(
      'SELECT finished_at IS NOT NULL AS "isFinished" FROM forget_orders WHERE person_id = $1',
      [personId],
    );
    expect(order).toEqual({ isFinished: true });
    const asked = model.requests.length;
    expect(await suite.say('Hello again.', { key })).toMatchObject({ outcome: 'answered' });
    expect(JSON.stringify(model.requests.slice(asked))).not.toContain('Zephyrine');
    await isEntered('memory', 'vector-store');
    expect(pointsOf(personId)).toEqual(expect.arrayContaining(points));
    await networks.vectors.set('open');
    await isLeft('memory', 'vector-store');
    const ofIt = `SELECT 1 FROM forget_records WHERE person_id = $1 AND pending <> '{}'`;
    await eventually('nothing to do', async () => !(await suite.query(ofIt, [personId])).length, 60_000);
    // What was said since then may be in the index by now.
    expect(pointsOf(personId).filter((id) => points.includes(id))).toEqual([]);
  }, 120_000);
});

describe('without the embedding provider', () => {
  it('recall goes by words, the reply says so, and it is over by itself', async () => {
    await networks.embedding.set('refuse');
    const turn = await say('Do you know what my cat is called?');
    expect(turn).toMatchObject({ outcome: 'answered', degraded: ['dense'] });
    expect(turn.recalled.map(({ text }) => text).join()).toContain('Tuesday');
    await isEntered('memory', 'embedding');
    await isEntered('embedding', 'embedding');
    await networks.embedding.set('open');
    await isLeft('embedding', 'embedding');
    await isLeft('memory', 'embedding');
  }, 120_000);
});

describe('without the fast model', () => {
  it('moods go by rules, and it is over by itself', async () => {
    await networks.fast.set('refuse');
    expect(await say('Thank you, you are the best!')).toMatchObject({ outcome: 'answered', degraded: [] });
    await isEntered('personality', 'fast-model');
    await networks.fast.set('open');
    await isLeft('personality', 'fast-model');
  }, 120_000);
});

describe('without a chat model', () => {
  let browser: Browser | undefined;
  afterAll(() => browser?.close());

  it('people get the apology, the console says why and since when, and it is over by itself', async () => {
    await networks.chat.set('refuse');
    expect(await say('Are you there?')).toMatchObject({ outcome: 'apologised', degraded: ['model'] });
    await isEntered('gateway', 'chat-model');
    browser = CHROMIUM
      ? await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
      : undefined;
    const page = await browser?.newPage({ viewport: { width: 1280, height: 820 } });
    await page?.goto(await suite.signInLink(person.key));
    const banner = page?.getByRole('alert').filter({ hasText: /can’t reach its model.*apologies.*Since/ });
    await banner?.waitFor();
    if (process.env['CONSOLE_SCREENSHOT'])
      await page?.screenshot({ path: process.env['CONSOLE_SCREENSHOT'] });
    await networks.chat.set('open');
    await isLeft('gateway', 'chat-model');
    await banner?.waitFor({ state: 'hidden' });
    expect(await say('Are you there now?')).toMatchObject({ outcome: 'answered' });
  }, 120_000);
});

describe('without Redis', () => {
  it.each(['refuse', 'black-hole'] as const)(
    'messages are accepted and health answers in time (%s), and it is over by itself',
    async (state) => {
      await networks.redis.set(state);
      await isEntered('gateway', 'redis');
      const started = performance.now();
      const { services } = await health();
      expect(performance.now() - started).toBeLessThan(3_000);
      expect(services.find(({ service }) => service === 'gateway')).toMatchObject({ ready: true });
      expect(services.find(({ service }) => service === 'memory')).toMatchObject({
        ready: false,
        dependencies: { redis: { up: false } },
      });
      const turn = await say(`Can you hear me, with Redis in state ${state}?`);
      expect(turn).toMatchObject({ outcome: 'answered', degraded: ['personality', 'memory'] });
      await networks.redis.set('open');
      await isLeft('gateway', 'redis');
      await eventually('all well', async () => (await health()).status === 'ok', 60_000);
    },
    180_000,
  );
});
