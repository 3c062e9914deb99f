/** A request as Kith makes it of Qdrant; `NAME` stands for a collection of the comparison's own. */
export interface Exchange {
  name: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: object;
}

const ids = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
const [ANN, BOB] = ['ann', 'bob'];
const payload = (person_id: string, minute: number, terms: string[]) => ({
  person_id,
  companion_id: 'wren',
  audience: 'direct',
  conversation: 'c1',
  terms,
  said_at: new Date(minute * 60_000).toISOString(),
});
const point = (at: number, person: string, dense: number[], indices: number[]) => ({
  id: ids[at]!,
  vector: { dense, bm25: { indices, values: indices.map(() => 1.5) } },
  payload: payload(person, at, ['tea']),
});
const ofAnn = { must: [{ key: 'person_id', match: { value: ANN } }] };
const common = { filter: ofAnn, limit: 10, with_payload: false, with_vector: false };
const C = '/collections/NAME';

/** Every sort of request that the adapter makes, in an order in which each has something to answer about. */
export const EXCHANGES: readonly Exchange[] = [
  { name: 'a collection that is not there', method: 'GET', path: `${C}/exists` },
  { name: 'a count of what is not there', method: 'POST', path: `${C}/points/count`, body: { exact: true } },
  {
    name: 'making it',
    method: 'PUT',
    path: C,
    body: {
      vectors: { dense: { size: 3, distance: 'Cosine', on_disk: true } },
      sparse_vectors: { bm25: { modifier: 'idf' } },
      hnsw_config: { m: 0, payload_m: 16 },
    },
  },
  {
    name: 'making it again',
    method: 'PUT',
    path: C,
    body: { vectors: { dense: { size: 3, distance: 'Cosine' } } },
  },
  {
    name: 'an index by tenant',
    method: 'PUT',
    path: `${C}/index?wait=true`,
    body: { field_name: 'person_id', field_schema: { type: 'keyword', is_tenant: true } },
  },
  {
    name: 'an index of times',
    method: 'PUT',
    path: `${C}/index?wait=true`,
    body: { field_name: 'said_at', field_schema: 'datetime' },
  },
  {
    name: 'writing points',
    method: 'PUT',
    path: `${C}/points?wait=true`,
    body: {
      points: [
        point(0, ANN, [1, 0, 0], [7]),
        point(1, ANN, [1, 1, 0], [7, 8]),
        point(2, ANN, [0, 1, 0], [9]),
        point(3, BOB, [1, 0, 0], [7]),
      ],
    },
  },
  {
    name: 'a vector of other dimensions',
    method: 'PUT',
    path: `${C}/points?wait=true`,
    body: { points: [{ ...point(0, ANN, [1, 0], [7]) }] },
  },
  {
    name: 'both arms',
    method: 'POST',
    path: `${C}/points/query/batch`,
    body: {
      searches: [
        { ...common, query: [1, 0.1, 0], using: 'dense' },
        { ...common, query: { indices: [7, 9], values: [1, 1] }, using: 'bm25' },
      ],
    },
  },
  {
    name: 'neighbours in order of time',
    method: 'POST',
    path: `${C}/points/query/batch`,
    body: {
      searches: (['asc', 'desc'] as const).map((direction) => ({
        ...common,
        query: { order_by: { key: 'said_at', direction } },
        filter: {
          must: [
            ...ofAnn.must,
            { key: 'said_at', range: { gte: '1970-01-01T00:00:00Z', lte: '1970-01-01T00:02:00Z' } },
          ],
          must_not: [{ has_id: [ids[1]] }],
        },
        with_payload: true,
      })),
    },
  },
  {
    name: 'other weights',
    method: 'PUT',
    path: `${C}/points/vectors?wait=true`,
    body: { points: [{ id: ids[0], vector: { bm25: { indices: [7], values: [0.5] } } }] },
  },
  {
    name: 'vectors by id',
    method: 'POST',
    path: `${C}/points/scroll`,
    body: {
      filter: { must: [...ofAnn.must, { has_id: [ids[0], ids[1]] }] },
      limit: 2,
      with_payload: false,
      with_vector: ['dense'],
    },
  },
  {
    name: 'the first page',
    method: 'POST',
    path: `${C}/points/scroll`,
    body: { limit: 2, with_payload: ['person_id'], with_vector: false },
  },
  {
    name: 'the next page',
    method: 'POST',
    path: `${C}/points/scroll`,
    body: { limit: 2, with_payload: ['person_id'], with_vector: false, offset: ids[2] },
  },
  {
    name: 'a count of one person',
    method: 'POST',
    path: `${C}/points/count`,
    body: { filter: ofAnn, exact: true },
  },
  {
    name: 'an alias',
    method: 'POST',
    path: '/collections/aliases',
    body: { actions: [{ create_alias: { collection_name: 'NAME', alias_name: 'NAME-in-use' } }] },
  },
  {
    name: 'a count by the alias',
    method: 'POST',
    path: '/collections/NAME-in-use/points/count',
    body: { exact: true },
  },
  {
    name: 'removing a person',
    method: 'POST',
    path: `${C}/points/delete?wait=true`,
    body: { filter: ofAnn },
  },
  { name: 'a count of what is left', method: 'POST', path: `${C}/points/count`, body: { exact: true } },
  { name: 'removing it', method: 'DELETE', path: C },
  { name: 'removing it again', method: 'DELETE', path: C },
  { name: 'the aliases that are left', method: 'GET', path: `/aliases` },
];
