import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Aliases, UnknownName, type AliasAction } from './aliases.js';
import {
  byId,
  Collection,
  showPoint,
  WrongInput,
  type PointId,
  type PointInput,
  type Sparse,
} from './collection.js';
import { NotInThisDouble, type Filter } from './filter.js';
import { OpenApiChecks } from './openapi-checks.js';
import { Snapshots } from './snapshots.js';

type Body = Record<string, unknown>;
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

/** Version whose description of the API every request is checked against. */
const DOCUMENTED = '1.18.0';

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** A Qdrant to test against: real HTTP, strict about every request, exact in its answers. */
export class QdrantDouble {
  /** Every request that reached it, in order: `POST /collections/x/points/query/batch`. */
  readonly requests: string[] = [];
  /** True: every request gets 503, as from a server that is starting. */
  down = false;
  private readonly collections = new Map<string, Collection>();
  private readonly aliases = new Aliases();
  private readonly snapshots = new Snapshots();
  private readonly checks = new OpenApiChecks();
  private readonly server: Server;
  private readonly apiKey: string | undefined;

  private constructor(
    apiKey: string | undefined,
    private readonly version: string,
  ) {
    this.apiKey = apiKey;
    this.server = createServer((request, response) => void this.serve(request, response));
  }

  /** Listens on a free port. With `apiKey`, requests without it are refused. */
  static async start({
    apiKey,
    version = DOCUMENTED,
  }: { apiKey?: string; version?: string } = {}): Promise<QdrantDouble> {
    const double = new QdrantDouble(apiKey, version);
    await new Promise<void>((listening) => double.server.listen(0, '127.0.0.1', listening));
    return double;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Points held in all collections together. */
  get points(): number {
    return [...this.collections.values()].reduce((sum, { points }) => sum + points.size, 0);
  }

  /** Loses everything, as a server whose volume was thrown away. */
  clear(): void {
    this.collections.clear();
    this.aliases.clear();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://double');
    this.requests.push(`${request.method} ${url.pathname}`);
    const send = (status: number, answer: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    };
    try {
      const raw = await readRaw(request);
      const contentType = request.headers['content-type'] ?? '';
      const isForm = contentType.startsWith('multipart/form-data');
      const text = isForm ? '' : raw.toString('utf8');
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      if (this.down) throw new Refusal(503, 'Service unavailable');
      if (this.apiKey !== undefined && request.headers['api-key'] !== this.apiKey) {
        throw new Refusal(401, 'Must provide an API key or an Authorization bearer token');
      }
      const checked = this.checks.check(request.method ?? 'GET', url, body);
      if (checked.kind === 'refused') throw new Refusal(checked.status, checked.reason);
      if (`${checked.method} ${checked.path}` === 'get /') {
        send(200, { title: 'qdrant - vector search engine', version: this.version });
        return;
      }
      const snapshot = this.snapshots.read(checked.params['snapshot_name'] ?? '');
      if (checked.method === 'get' && snapshot) {
        response.writeHead(200, { 'content-length': snapshot.length }).end(snapshot);
        return;
      }
      if (isForm && checked.path.endsWith('/snapshots/upload')) {
        const name = checked.params['collection_name']!;
        this.collections.set(name, this.snapshots.restore(raw, contentType));
        send(200, { result: true, status: 'ok', time: 0.0001 });
        return;
      }
      const result = this.answer(`${checked.method} ${checked.path}`, checked.params, (body ?? {}) as Body);
      send(200, { result, status: 'ok', time: 0.0001 });
    } catch (error) {
      send(statusOf(error), { status: { error: (error as Error).message }, time: 0 });
    }
  }

  private answer(operation: string, params: Record<string, string>, body: Body): unknown {
    const name = params['collection_name'] ?? '';
    switch (operation) {
      case 'get /collections':
        return { collections: [...this.collections.keys()].map((held) => ({ name: held })) };
      case 'put /collections/{collection_name}':
        if (this.collections.has(name))
          throw new Refusal(409, `Wrong input: Collection \`${name}\` already exists!`);
        this.collections.set(name, new Collection(body));
        return true;
      case 'get /collections/{collection_name}/exists':
        return { exists: this.collections.has(name) };
      case 'delete /collections/{collection_name}':
        this.aliases.drop(name);
        return this.collections.delete(name);
      case 'get /aliases':
        return { aliases: this.aliases.list() };
      case 'post /collections/aliases':
        this.aliases.change(body['actions'] as AliasAction[], this.collections);
        return true;
    }
    const collection = this.collections.get(this.aliases.resolve(name));
    if (!collection) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`);
    switch (operation) {
      case 'get /collections/{collection_name}/snapshots':
        return this.snapshots.list(name);
      case 'post /collections/{collection_name}/snapshots':
        return this.snapshots.create(name, collection);
      case 'delete /collections/{collection_name}/snapshots/{snapshot_name}':
        return this.snapshots.delete(params['snapshot_name']!);
    }
    return answerForCollection(collection, operation, params, body);
  }
}

function answerForCollection(
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
  if (search.prefetch) throw new NotInThisDouble('prefetch');
  const offset = search.offset ?? 0;
  const found = find(collection, search)
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

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status;
  if (error instanceof UnknownName) return 404;
  if (error instanceof NotInThisDouble) return 501;
  return error instanceof WrongInput || error instanceof SyntaxError ? 400 : 500;
}

async function readRaw(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
