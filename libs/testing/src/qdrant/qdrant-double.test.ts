import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { QdrantDouble } from './qdrant-double.js';

const A = '00000000-0000-4000-8000-00000000000a';
const B = '00000000-0000-4000-8000-00000000000b';

let double: QdrantDouble;
beforeAll(async () => {
  double = await QdrantDouble.start();
});
afterAll(() => double.stop());

async function send(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; result: unknown; error: string }> {
  const response = await fetch(double.url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { result?: unknown; status: string | { error: string } };
  return {
    status: response.status,
    result: answer.result,
    error: typeof answer.status === 'object' ? answer.status.error : '',
  };
}

const SPEC = {
  vectors: { dense: { size: 2, distance: 'Cosine' } },
  sparse_vectors: { bm25: { modifier: 'idf' } },
};
const POINTS = [
  { id: A, vector: { dense: [2, 0], bm25: { indices: [1, 2], values: [1, 1] } }, payload: { person: 'ann' } },
  { id: B, vector: { dense: [0, 3], bm25: { indices: [2], values: [1] } }, payload: { person: 'bob' } },
];

describe('the strict Qdrant double', () => {
  beforeEach(async () => {
    double.clear();
    await send('PUT', '/collections/things', SPEC);
    await send('PUT', '/collections/things/points?wait=true', { points: POINTS });
  });

  it('finds by cosine, with vectors normalised as a Cosine collection keeps them', async () => {
    const { result } = await send('POST', '/collections/things/points/query', {
      query: [1, 0.1],
      using: 'dense',
      limit: 1,
      with_vector: ['dense'],
    });
    expect(result).toMatchObject({ points: [{ id: A, vector: { dense: [1, 0] } }] });
  });

  it('weighs sparse terms by how rare they are, and leaves out what shares none', async () => {
    const { result } = await send('POST', '/collections/things/points/query/batch', {
      searches: [
        { query: { indices: [1, 2], values: [1, 1] }, using: 'bm25' },
        { query: { indices: [1], values: [1] }, using: 'bm25' },
      ],
    });
    const [both, rare] = result as { points: { id: string; score: number }[] }[];
    expect(both?.points.map(({ id }) => id)).toEqual([A, B]);
    expect(both?.points[0]?.score).toBeCloseTo(Math.log(2) + Math.log(1.2), 6);
    expect(rare?.points.map(({ id }) => id)).toEqual([A]);
  });

  it('filters by value, by any, by id, and by what must not be', async () => {
    const idsFor = async (filter: unknown): Promise<string[]> => {
      const { result } = await send('POST', '/collections/things/points/scroll', {
        filter,
        with_payload: false,
      });
      return (result as { points: { id: string }[] }).points.map(({ id }) => id);
    };
    expect(await idsFor({ must: [{ key: 'person', match: { value: 'ann' } }] })).toEqual([A]);
    expect(await idsFor({ should: [{ key: 'person', match: { any: ['bob', 'eve'] } }] })).toEqual([B]);
    expect(await idsFor({ must: { has_id: [B] } })).toEqual([B]);
    expect(await idsFor({ must_not: [{ key: 'person', match: { value: 'ann' } }] })).toEqual([B]);
  });

  it('gives points in the order of a time, with an index of it alone', async () => {
    const query = { query: { order_by: { key: 'said_at', direction: 'desc' } } };
    const inOrder = () => send('POST', '/collections/things/points/query', query);
    await send('PUT', '/collections/things/points', {
      points: POINTS.map((point, n) => ({ ...point, payload: { said_at: `2026-01-0${n + 1}T00:00:00Z` } })),
    });
    expect((await inOrder()).status).toBe(400);
    await send('PUT', '/collections/things/index', { field_name: 'said_at', field_schema: 'datetime' });
    const { result } = await inOrder();
    expect(result).toMatchObject({ points: [{ id: B, score: 0 }, { id: A }] });
  });

  it.each([
    ['an unknown field', 'PUT', '/collections/other', { ...SPEC, colour: 'red' }],
    ['a wrong type', 'POST', '/collections/things/points/query', { query: [1, 0], limit: 'ten' }],
    [
      'an object where null is the only other choice',
      'POST',
      '/collections/things/points/query',
      { query: [1, 0], params: { foo: 1 } },
    ],
    [
      'a text that is no UUID as id',
      'PUT',
      '/collections/things/points',
      { points: [{ id: 'x', vector: { dense: [1, 0] } }] },
    ],
    [
      'a vector of another size',
      'PUT',
      '/collections/things/points',
      { points: [{ id: A, vector: { dense: [1] } }] },
    ],
    [
      'a vector name it does not have',
      'PUT',
      '/collections/things/points',
      { points: [{ id: A, vector: { other: [1, 0] } }] },
    ],
    [
      'repeated sparse indices',
      'PUT',
      '/collections/things/points',
      { points: [{ id: A, vector: { bm25: { indices: [1, 1], values: [1, 1] } } }] },
    ],
    ['an unknown query parameter', 'PUT', '/collections/things/points?now=true', { points: POINTS }],
  ])('refuses %s with 400', async (_, method, path, body) => {
    const { status, error } = await send(method, path, body);
    expect({ status, error }).toEqual({ status: 400, error: expect.stringMatching(/.+/) });
  });

  it('answers 404 for a collection and a path that are not there, 405 for a wrong method', async () => {
    expect((await send('POST', '/collections/none/points/count', {})).status).toBe(404);
    expect((await send('GET', '/nowhere')).status).toBe(404);
    expect((await send('PATCH', '/collections/things/points', {})).status).toBe(405);
  });

  it('shows its payload indexes, tenants marked', async () => {
    await send('PUT', '/collections/things/index', {
      field_name: 'person',
      field_schema: { type: 'keyword', is_tenant: true },
    });
    const { result } = await send('GET', '/collections/things');
    expect(result).toMatchObject({
      points_count: 2,
      payload_schema: { person: { data_type: 'keyword', params: { is_tenant: true } } },
    });
  });

  it('deletes by id and by filter', async () => {
    await send('POST', '/collections/things/points/delete', { points: [A] });
    expect(double.idsWith('person', 'ann')).toEqual([]);
    expect(double.idsWith('person', 'bob')).toEqual([B]);
    await send('POST', '/collections/things/points/delete', {
      filter: { must: [{ key: 'person', match: { value: 'bob' } }] },
    });
    expect(double.idsWith('person', 'bob')).toEqual([]);
  });

  it('says 501 for what Qdrant can do and it cannot', async () => {
    const { status } = await send('POST', '/collections/things/points/query', {
      query: { fusion: 'rrf' },
      prefetch: [],
    });
    expect(status).toBe(501);
  });
});
