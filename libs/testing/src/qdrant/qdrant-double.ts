import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Aliases, UnknownName, type AliasAction } from './aliases.js';
import { Collection, WrongInput, type PointId } from './collection.js';
import { NotInThisDouble } from './filter.js';
import { OpenApiChecks } from './openapi-checks.js';
import { Snapshots } from './snapshots.js';
import { Refusal, answerForCollection, type Body } from './answer-for-collection.js';

/** Version whose description of the API every request is checked against. */
const DOCUMENTED = '1.18.0';

/** Checks of all doubles of this process: compiled schemas alone, which take a third of a second each time. */
let checksOfAll: OpenApiChecks | undefined;

/** A Qdrant to test against: real HTTP, strict about every request, exact in its answers. */
export class QdrantDouble {
  /** Every request that reached it, in order: `POST /collections/x/points/query/batch`. */
  readonly requests: string[] = [];
  /** True: every request gets 503, as from a server that is starting. */
  down = false;
  /**
   * Runs before a request is answered, as what another client does meanwhile, or a server that is busy or falls; where
   * it throws, the answer is 500.
   */
  before: ((request: string, response: ServerResponse) => Promise<void> | void) | undefined;
  private readonly collections = new Map<string, Collection>();
  private readonly aliases = new Aliases();
  private readonly snapshots = new Snapshots();
  private readonly checks = (checksOfAll ??= new OpenApiChecks());
  private readonly server = createServer((request, response) => void this.serve(request, response));

  private constructor(
    private readonly apiKey: string | undefined,
    private readonly version: string,
  ) {}

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

  /** Lists the points that hold `value` in their payload, of all collections together. */
  idsWith(key: string, value: string): PointId[] {
    return [...this.collections.values()]
      .flatMap(({ points }) => [...points.values()])
      .filter(({ payload }) => payload[key] === value)
      .map(({ id }) => id);
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
      const raw = await buffer(request);
      const contentType = request.headers['content-type'] ?? '';
      const isForm = contentType.startsWith('multipart/form-data');
      const text = isForm ? '' : raw.toString('utf8');
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      if (this.down) throw new Refusal(503, 'Service unavailable');
      await this.before?.(`${request.method} ${url.pathname}`, response);
      if (response.headersSent) return;
      if (this.apiKey !== undefined && request.headers['api-key'] !== this.apiKey) {
        throw new Refusal(401, 'Must provide an API key or an Authorization bearer token');
      }
      const checked = this.checks.check(request.method ?? 'GET', url, body);
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

function statusOf(error: unknown): number {
  if (error instanceof Refusal) return error.status;
  if (error instanceof UnknownName) return 404;
  if (error instanceof NotInThisDouble) return 501;
  return error instanceof WrongInput || error instanceof SyntaxError ? 400 : 500;
}
