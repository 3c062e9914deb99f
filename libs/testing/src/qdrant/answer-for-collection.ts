import { byId, Collection, showPoint, type PointId, type PointInput, type Sparse } from './collection.js';
import { NotInThisDouble, type Filter } from './filter.js';

interface Query {
  query?: unknown;
  using?: string | null;
  filter?: Filter | null;
  limit?: number | null;
  offset?: number | null;
  score_threshold?: number | null;
  prefetch?: unknown;
  with_payload?: unknown;
  with_vector?: unknown;
}

export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export function answerForCollection(
  collection: Collection,
  operation: string,
  params: Record<string, string>,
  body: Body,
): unknown {
  const done = { operation_id: 1, status: 'completed' };
  switch (operation) {
    case 'get /collections/{collection_name}':
      return describe(collection);
    case 'put /collections/{collection_name}/index':
      collection.createPayloadIndex(body['field_name'] as string, body['field_schema'] ?? 'keyword');
      return done;
    case 'put /collections/{collection_name}/points':
      if (!Array.isArray(body['points'])) throw new NotInThisDouble('upsert by columns');
      collection.upsert(body['points'] as PointInput[]);
      return done;
    case 'put /collections/{collection_name}/points/vectors':
      collection.updateVectors(body['points'] as PointInput[]);
      return done;
    case 'post /collections/{collection_name}/points/delete':
      collection.delete(body);
      return done;
    case 'post /collections/{collection_name}/points/count':
      return { count: collection.matching(body['filter'] as Filter | undefined).length };
    case 'post /collections/{collection_name}/points/scroll':
      return scroll(collection, body);
    case 'post /collections/{collection_name}/points':
      return (body['ids'] as PointId[]).flatMap((id) => {
        const point = collection.points.get(id);
        return point ? [showPoint(point, body['with_payload'] ?? true, body['with_vector'])] : [];
      });
    case 'get /collections/{collection_name}/points/{id}': {
      const point = collection.points.get(params['id']!) ?? collection.points.get(Number(params['id']));
      if (!point) throw new Refusal(404, `Not found: Point with id ${params['id']} does not exists!`);
      return showPoint(point, true, true);
    }
    case 'post /collections/{collection_name}/points/query':
      return query(collection, body);
    case 'post /collections/{collection_name}/points/query/batch':
      return (body['searches'] as Query[]).map((search) => query(collection, search));
  }
  throw new NotInThisDouble(operation);
}

function query(collection: Collection, search: Query): { points: unknown[] } {
  const offset = search.offset ?? 0;
  const among = search.prefetch ? sampled(collection, search.prefetch) : null;
  const found = find(collection, search)
    .filter(({ point }) => among === null || among.has(point))
    .filter(({ score }) => score >= (search.score_threshold ?? -Infinity))
    .slice(offset, offset + (search.limit ?? 10));
  return {
    points: found.map(({ point, score }) => ({
      ...showPoint(point, search.with_payload, search.with_vector),
      version: 1,
      score,
    })),
  };
}

/** Points that a prefetch picks at random: here those in the middle of their ids' order, so that a test can be repeated. */
function sampled(collection: Collection, prefetch: unknown): Set<unknown> {
  const { query: asked, filter, limit, ...rest } = prefetch as Query & { query?: { sample?: unknown } };
  if (asked?.sample !== 'random' || Object.keys(rest).length > 0)
    throw new NotInThisDouble('a prefetch of anything but a sample');
  const points = collection.matching(filter).sort(byId);
  const from = Math.floor(Math.max(0, points.length - (limit ?? 10)) / 2);
  return new Set(points.slice(from, from + (limit ?? 10)));
}

function find(collection: Collection, search: Query): ReturnType<Collection['search']> {
  const asked = search.query as
    | number[]
    | Sparse
    | { nearest: number[] | Sparse }
    | { order_by: string | { key: string; direction?: 'asc' | 'desc'; start_from?: unknown } }
    | undefined;
  if (asked && 'order_by' in asked) {
    const order = typeof asked.order_by === 'string' ? { key: asked.order_by } : asked.order_by;
    if (order.start_from !== undefined) throw new NotInThisDouble('start_from');
    return collection.inOrder({ direction: 'asc', ...order }, search.filter);
  }
  const nearest = asked && 'nearest' in asked ? asked.nearest : asked;
  if (nearest && !Array.isArray(nearest) && !('indices' in nearest))
    throw new NotInThisDouble('this kind of query');
  return collection.search(nearest, search.using, search.filter);
}

function scroll(collection: Collection, body: Body): unknown {
  if (body['order_by']) throw new NotInThisDouble('order_by');
  const limit = (body['limit'] as number | undefined) ?? 10;
  const from = body['offset'] as PointId | null | undefined;
  const rest = collection
    .matching(body['filter'] as Filter | undefined)
    .sort(byId)
    .filter((point) => from === undefined || from === null || String(point.id) >= String(from));
  return {
    points: rest
      .slice(0, limit)
      .map((point) => showPoint(point, body['with_payload'] ?? true, body['with_vector'])),
    next_page_offset: rest[limit]?.id ?? null,
  };
}

function describe(collection: Collection): unknown {
  const indexes = [...collection.payloadIndexes].map(([field, schema]) => {
    const params = typeof schema === 'object' ? (schema as { type: string }) : undefined;
    return [
      field,
      { data_type: params?.type ?? schema, ...(params && { params }), points: collection.points.size },
    ];
  });
  return {
    status: 'green',
    optimizer_status: 'ok',
    points_count: collection.points.size,
    segments_count: 1,
    config: {
      params: { vectors: collection.spec.vectors, sparse_vectors: collection.spec.sparse_vectors },
      hnsw_config: { m: 16, ef_construct: 100, full_scan_threshold: 10_000, ...collection.spec.hnsw_config },
      optimizer_config: {
        deleted_threshold: 0.2,
        vacuum_min_vector_number: 1000,
        default_segment_number: 0,
        flush_interval_sec: 5,
      },
    },
    payload_schema: Object.fromEntries(indexes) as Record<string, unknown>,
  };
}

export type Body = Record<string, unknown>;
