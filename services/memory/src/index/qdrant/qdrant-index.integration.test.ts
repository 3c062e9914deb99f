import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { QdrantDouble, QdrantServer } from '@kith/testing';
import { QdrantIndex } from './qdrant-index.js';
import { analyseText } from '../../words/analyse-text.js';
import { talk } from '../contract-suite/index-bench.js';
import { describeVectorIndex } from '../vector-index.contract-suite.js';

const NOWHERE = 'http://127.0.0.1:1';

// The server that QDRANT_URL and QDRANT_API_KEY name, under a prefix of its own; the strict double without.
describeVectorIndex(process.env['QDRANT_URL'] ? 'a Qdrant server' : 'the strict Qdrant double', async () => {
  const server = await QdrantServer.open('test');
  const settings = { url: server.url, apiKey: server.apiKey, collectionPrefix: server.prefix };
  return {
    index: new QdrantIndex(settings),
    replica: new QdrantIndex(settings),
    unreachable: new QdrantIndex({ url: NOWHERE }),
    close: () => server.stop(),
  };
});

describe('the Qdrant adapter', () => {
  const SPACE = { id: 'space-1', dimensions: 2, kind: 'semantic' } as const;
  const PERSON = randomUUID();
  let double: QdrantDouble;
  let index: QdrantIndex;

  beforeAll(async () => {
    double = await QdrantDouble.start({ apiKey: 'secret' });
    index = new QdrantIndex({ url: double.url, apiKey: 'secret' });
    await index.ensureSpace(SPACE);
  });
  afterAll(() => double.stop());

  const query = { vector: Float32Array.of(1, 0), terms: ['tea'], limit: 5, kind: 'lexical' as const };
  const scope = { personId: PERSON, companionId: 'wren', audience: 'direct' };

  it('makes a collection that is partitioned by person', async () => {
    const response = await fetch(`${double.url}/collections/kith-memories-space-1`, {
      headers: { 'api-key': 'secret' },
    });
    expect(await response.json()).toMatchObject({
      result: {
        config: {
          params: {
            vectors: { dense: { size: 2, distance: 'Cosine' } },
            sparse_vectors: { bm25: { modifier: 'idf' } },
          },
          hnsw_config: { m: 0, payload_m: 16 },
        },
        payload_schema: {
          person_id: { data_type: 'keyword', params: { is_tenant: true } },
          companion_id: { data_type: 'keyword' },
          audience: { data_type: 'keyword' },
        },
      },
    });
  });

  it('asks both arms in one round trip', async () => {
    double.requests.length = 0;
    await index.candidates(SPACE.id, scope, query);
    expect(double.requests).toEqual(['POST /collections/kith-memories-space-1/points/query/batch']);
  });

  it('makes the collection again when it has gone', async () => {
    double.clear();
    await index.upsert(SPACE, [
      {
        id: randomUUID(),
        ...scope,
        vector: Float32Array.of(1, 0),
        terms: ['tea'],
        conversation: null,
        saidAt: new Date(0),
        digest: 'tea',
      },
    ]);
    expect(await index.count(SPACE.id)).toBe(1);
  });

  it('refuses a collection of other dimensions', async () => {
    const again = new QdrantIndex({ url: double.url, apiKey: 'secret' });
    await expect(again.ensureSpace({ ...SPACE, dimensions: 7 })).rejects.toThrow('2 dimensions');
  });

  it('refuses a server that is too old by its version, before it writes anything', async () => {
    const old = await QdrantDouble.start({ version: '1.9.4' });
    const onOld = new QdrantIndex({ url: old.url });
    await expect(onOld.checkVersion()).rejects.toThrow(/is 1\.9\.4, and too old: update it to 1\.11/);
    await expect(onOld.ensureSpace(SPACE)).rejects.toThrow('too old');
    expect(old.requests).toEqual(['GET /', 'GET /']);
    await old.stop();
  });

  it('points an alias at the collection in use, and moves it', async () => {
    const other = { ...SPACE, id: 'space-2' };
    await index.ensureSpace(other);
    const aliases = async () => {
      const headers = { 'api-key': 'secret' };
      const response = await fetch(`${double.url}/aliases`, { headers });
      return ((await response.json()) as { result: { aliases: object[] } }).result.aliases;
    };
    for (const { id } of [SPACE, SPACE, other]) {
      await index.useSpace(id);
      const named = { alias_name: 'kith-memories-in-use', collection_name: `kith-memories-${id}` };
      expect(await aliases()).toEqual([named]);
    }
    await index.dropSpace(other.id);
    expect(await aliases()).toEqual([]);
    await index.useSpace('never-made');
  });

  describe('removing a point', () => {
    const rewrites = 'PUT /collections/kith-memories-space-1/points/vectors';
    const removes = 'POST /collections/kith-memories-space-1/points/delete';
    /** Writes a question, its answer and a line behind it. */
    const written = async () => {
      const own = { ...scope, personId: randomUUID() };
      const said = talk(own, 'what is your dog called?', 'biscuit!', 'fine').map((line) => ({
        ...line,
        vector: Float32Array.of(1, 0),
      }));
      await index.upsert(SPACE, said);
      const [question, answer, later] = said.map(({ id }) => id) as [string, string, string];
      const rewrite = () => index.upsert(SPACE, said.slice(1));
      const remove = (id: string) => index.delete(own.personId, { ids: [id] });
      const find = async (word: string) => {
        const asked = { ...query, vector: null, terms: analyseText(word) };
        return (await index.candidates(SPACE.id, own, asked)).lexical.map(({ id }) => id);
      };
      return { question, answer, later, rewrite, remove, find };
    };
    afterEach(() => {
      double.before = undefined;
    });

    it.each([rewrites, removes])('takes back the words it lent, though %s failed at first', async (fails) => {
      const { question, remove, find } = await written();
      double.before = (request) => {
        if (request === fails) throw new Error('too busy');
      };
      await expect(remove(question)).rejects.toMatchObject({ code: 'unavailable' });
      double.before = undefined;
      await remove(question);
      expect(await find('dog')).toEqual([]);
    });

    it('does so beside one that is removed meanwhile', async () => {
      const { question, answer, later, remove, find } = await written();
      double.before = async (request) => {
        if (request !== rewrites) return;
        double.before = undefined;
        await remove(answer);
      };
      await remove(question);
      expect(await find('dog')).toEqual([]);
      expect(await find('biscuit')).toEqual([]);
      expect(await find('fine')).toEqual([later]);
    });

    it('does so beside one that is written just before it goes', async () => {
      const { question, rewrite, remove, find } = await written();
      double.before = async (request) => {
        if (request !== removes) return;
        double.before = undefined;
        await rewrite();
      };
      await remove(question);
      expect(await find('dog')).toEqual([]);
    });
  });

  it.each(['points/count', 'points/delete'])(
    'removes points where another collection is dropped before %s',
    async (step) => {
      const dropped = { ...SPACE, id: 'space-dropped' };
      const point = { id: randomUUID(), companionId: 'wren', audience: 'direct', conversation: null };
      const said = { saidAt: new Date(), vector: Float32Array.of(1, 0), terms: ['tea'], digest: 'd' };
      const personId = randomUUID();
      for (const space of [dropped, SPACE]) await index.upsert(space, [{ ...point, ...said, personId }]);
      double.before = async (request) => {
        if (request !== `POST /collections/kith-memories-${dropped.id}/${step}`) return;
        double.before = undefined;
        await index.dropSpace(dropped.id);
      };
      expect(await index.delete(personId, { ids: [point.id] })).toBe(1);
      expect(double.idsWith('person_id', personId)).toEqual([]);
    },
  );

  it('tells a server that is down from a key that is wrong', async () => {
    const wrong = new QdrantIndex({ url: double.url, apiKey: 'guess' });
    await expect(wrong.check()).rejects.not.toMatchObject({ code: 'unavailable' });
    double.down = true;
    await expect(index.candidates(SPACE.id, scope, query)).rejects.toMatchObject({ code: 'unavailable' });
    double.down = false;
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['is busy', (response) => response.writeHead(429, { 'retry-after': '1' }).end('{}')],
    [
      'is busy until a time',
      (response) => response.writeHead(429, { 'retry-after': 'Sat, 28 Nov 2026 17:00:00 GMT' }).end('{}'),
    ],
    [
      'falls within its answer',
      (response) => response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
    ],
    [
      'has its answer cut by a proxy',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
    ],
  ])('takes a server that %s for one that is out of reach', async (_name, answer) => {
    double.before = (_request, response) => void answer(response);
    const failed = index.delete(PERSON, { companionId: null });
    await expect(failed).rejects.toMatchObject({ code: 'unavailable' });
    double.before = undefined;
  });
});
