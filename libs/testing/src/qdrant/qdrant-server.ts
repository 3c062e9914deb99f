import { randomUUID } from 'node:crypto';
import { QdrantDouble } from './qdrant-double.js';

/** Key of the double: the adapter is to send one, as to a real server. */
const DOUBLE_KEY = 'the-double-wants-a-key';
/** Points that are read at once. */
const PAGE = 1_000;

interface Point {
  id: string;
  payload: Record<string, unknown>;
}

/**
 * A Qdrant to test and measure against: the server that `QDRANT_URL` and `QDRANT_API_KEY` name, or the strict double.
 * Only collections under a prefix of its own are looked at and removed, so that an operator's stay as they are.
 */
export class QdrantServer {
  private constructor(
    readonly url: string,
    readonly apiKey: string | undefined,
    readonly prefix: string,
    readonly double: QdrantDouble | null,
  ) {}

  /** @param purpose stands in the prefix, so that a collection that was left over says whose it is */
  static async open(purpose: string): Promise<QdrantServer> {
    const prefix = `kith-${purpose}-${randomUUID()}-`;
    const url = process.env['QDRANT_URL'];
    if (url) return new QdrantServer(url.replace(/\/$/, ''), process.env['QDRANT_API_KEY'], prefix, null);
    const double = await QdrantDouble.start({ apiKey: DOUBLE_KEY });
    return new QdrantServer(double.url, DOUBLE_KEY, prefix, double);
  }

  /** Settings that lead a service to it. */
  get environment(): Record<string, string> {
    return {
      VECTOR_INDEX: 'qdrant',
      QDRANT_URL: this.url,
      QDRANT_COLLECTION_PREFIX: this.prefix,
      ...(this.apiKey !== undefined && { QDRANT_API_KEY: this.apiKey }),
    };
  }

  /** Points held in all collections of this prefix. */
  async points(): Promise<Point[]> {
    const points: Point[] = [];
    for (const name of await this.collections()) {
      let offset: string | null = null;
      do {
        const page: { points: Point[]; next_page_offset: string | null } = await this.ask(
          'POST',
          `/collections/${name}/points/scroll`,
          { limit: PAGE, with_payload: true, with_vector: false, ...(offset !== null && { offset }) },
        );
        points.push(...page.points);
        offset = page.next_page_offset;
      } while (offset !== null);
    }
    return points;
  }

  /** Removes the collections of this prefix, as of a server whose volume was thrown away. */
  async clear(): Promise<void> {
    for (const name of await this.collections()) await this.ask('DELETE', `/collections/${name}`);
  }

  /** Leaves nothing behind. */
  async stop(): Promise<void> {
    await this.clear();
    await this.double?.stop();
  }

  private async collections(): Promise<string[]> {
    const { collections } = await this.ask<{ collections: { name: string }[] }>('GET', '/collections');
    return collections.map(({ name }) => name).filter((name) => name.startsWith(this.prefix));
  }

  private async ask<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(this.apiKey !== undefined && { 'api-key': this.apiKey }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} on ${this.url}: ${response.status}`);
    return ((await response.json()) as { result: T }).result;
  }
}
