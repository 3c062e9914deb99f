import { AppError, type EmbeddingSpace } from '@kith/contracts';
import { QdrantClient } from '@qdrant/js-client-rest';
import { TUNED } from '../recall/tuned.js';
import { sparseQuery } from './bm25.js';
import { PAUSE_MS } from './neighbours.js';
import {
  requirePerson,
  type Candidates,
  type Found,
  type IndexPoint,
  type IndexQuery,
  type IndexScope,
  type VectorIndex,
} from './vector-index.js';
import { weighTogether, type ContextPoint } from './weigh-together.js';

const DENSE = 'dense';
const LEXICAL = 'bm25';
/** A recall has three seconds in all; a write can be done again. */
const TIMEOUT_MS = 5_000;

/** As far as a point's neighbours can be, in time. */
const REACH_MS = Math.max(TUNED.before.length, TUNED.after.length) * PAUSE_MS;
/** A flood has more within reach; what lies between is what counts, and it is close. */
const MOST_AROUND = 500;

type Condition =
  | { key: string; match: { value: string } }
  | { key: string; range: { gte: string; lte: string } }
  | { has_id: string[] };
/**
 * The index of a suite with Qdrant: one collection for each embedding space. This class alone holds the
 * client, and everything it reads or removes is under a filter on one person.
 */
export class QdrantIndex implements VectorIndex {
  readonly kind = 'qdrant';
  readonly #client: QdrantClient;
  readonly #prefix: string;
  readonly #ready = new Map<string, Promise<void>>();

  constructor(settings: { url: string; apiKey?: string | undefined; collectionPrefix?: string }) {
    // The version check is a request and a warning at every start; docs/ says which servers are fit.
    this.#client = new QdrantClient({
      url: settings.url,
      timeout: TIMEOUT_MS,
      checkCompatibility: false,
      // As a header of our own: the client's `apiKey` warns on the console about each private network.
      ...(settings.apiKey && { headers: { 'api-key': settings.apiKey } }),
    });
    this.#prefix = settings.collectionPrefix ?? 'kith-memories-';
  }

  ensureSpace(space: EmbeddingSpace): Promise<void> {
    const name = this.#collection(space.id);
    const ready = this.#ready.get(name) ?? reaching(() => this.#make(name, space));
    this.#ready.set(name, ready);
    ready.catch(() => this.#ready.delete(name));
    return ready;
  }

  async upsert(space: EmbeddingSpace, points: IndexPoint[]): Promise<void> {
    if (points.length === 0) return;
    await this.ensureSpace(space);
    const name = this.#collection(space.id);
    const around = await reaching(() => this.#around(name, points));
    const weights = weighTogether([...points, ...around]);
    const body = points.map((point) => ({
      id: point.id,
      vector: { [DENSE]: Array.from(point.vector), [LEXICAL]: weights.get(point.id)! },
      payload: {
        person_id: requirePerson(point.personId),
        companion_id: point.companionId,
        audience: point.audience,
        conversation: point.conversation,
        said_at: point.saidAt.toISOString(),
        terms: point.terms,
      },
    }));
    await reaching(async () => {
      try {
        await this.#client.upsert(name, { wait: true, points: body });
      } catch (error) {
        // The collection went away under us: make it again, once.
        if (!isNotFound(error)) throw error;
        await this.#make(name, space);
        await this.#client.upsert(name, { wait: true, points: body });
        return;
      }
      // What is there already has new neighbours.
      await this.#reweigh(name, around, weights);
    });
  }

  async #reweigh(
    name: string,
    points: ContextPoint[],
    weights: ReturnType<typeof weighTogether>,
  ): Promise<void> {
    if (points.length === 0) return;
    await this.#client.updateVectors(name, {
      wait: true,
      points: points.map(({ id }) => ({ id, vector: { [LEXICAL]: weights.get(id)! } })),
    });
  }

  async #contexts(name: string, filter: { must: Condition[] }, limit: number): Promise<ContextPoint[]> {
    const page = await this.#client
      .scroll(name, { filter, limit, with_payload: true, with_vector: false })
      .catch(ifNotFound({ points: [], next_page_offset: null }));
    return page.points.map(toContext);
  }

  /** The points there are, in the conversations of these and near them in time. */
  async #around(name: string, points: readonly ContextPoint[]): Promise<ContextPoint[]> {
    const written = new Set(points.map(({ id }) => id));
    const found: ContextPoint[] = [];
    const spoken = points.filter(({ conversation }) => conversation !== null);
    for (const own of Map.groupBy(
      spoken,
      ({ personId, conversation }) => `${personId} ${conversation}`,
    ).values()) {
      const times = own.map(({ saidAt }) => saidAt.getTime());
      const range = {
        gte: new Date(Math.min(...times) - REACH_MS).toISOString(),
        lte: new Date(Math.max(...times) + REACH_MS).toISOString(),
      };
      const { personId, conversation } = own[0]!;
      const must = [...ofPerson(personId), matches('conversation', conversation!), { key: 'said_at', range }];
      const near = await this.#contexts(name, { must }, MOST_AROUND);
      found.push(...near.filter(({ id }) => !written.has(id)));
    }
    return found;
  }

  async candidates(spaceId: string, scope: IndexScope, query: IndexQuery): Promise<Candidates> {
    const must = [...ofPerson(scope.personId), matches('companion_id', scope.companionId)];
    if (scope.audience !== 'direct') must.push(matches('audience', scope.audience));
    const common = { filter: { must }, limit: query.limit, with_payload: false, with_vector: false };
    const searches = [
      ...(query.vector ? [{ ...common, query: Array.from(query.vector), using: DENSE }] : []),
      ...(query.terms.length > 0 ? [{ ...common, query: sparseQuery(query.terms), using: LEXICAL }] : []),
    ];
    if (searches.length === 0) return { dense: [], lexical: [] };
    const answers = await reaching(() =>
      this.#client.queryBatch(this.#collection(spaceId), { searches }).catch(ifNotFound([])),
    );
    const arms = answers.map((answer) => bestFirst(answer.points));
    return {
      dense: (query.vector ? arms[0] : undefined) ?? [],
      lexical: (query.terms.length > 0 ? arms.at(query.vector ? 1 : 0) : undefined) ?? [],
    };
  }

  async vectors(spaceId: string, personId: string, ids: string[]): Promise<Map<string, Float32Array>> {
    const must = [...ofPerson(personId), { has_id: ids }];
    if (ids.length === 0) return new Map();
    const { points } = await reaching(() =>
      this.#client
        .scroll(this.#collection(spaceId), {
          filter: { must },
          limit: ids.length,
          with_payload: false,
          with_vector: [DENSE],
        })
        .catch(ifNotFound({ points: [], next_page_offset: null })),
    );
    return new Map(
      points.map(({ id, vector }) => {
        const dense = (vector as { [DENSE]: number[] })[DENSE];
        return [String(id), Float32Array.from(dense)] as const;
      }),
    );
  }

  async delete(personId: string, which: { ids: string[] } | { companionId: string | null }): Promise<number> {
    const must = ofPerson(personId);
    if ('ids' in which) must.push({ has_id: which.ids });
    else if (which.companionId !== null) must.push(matches('companion_id', which.companionId));
    return reaching(async () => {
      const { collections } = await this.#client.getCollections();
      let removed = 0;
      for (const { name } of collections.filter((each) => each.name.startsWith(this.#prefix))) {
        const { count } = await this.#client.count(name, { filter: { must }, exact: true });
        if (count === 0) continue;
        const gone = 'ids' in which ? await this.#contexts(name, { must }, which.ids.length) : [];
        await this.#client.delete(name, { wait: true, filter: { must } });
        removed += count;
        // What is forgotten no longer lends its words to what was said beside it.
        const around = await this.#around(name, gone);
        const beside = await this.#around(name, around);
        await this.#reweigh(name, around, weighTogether([...around, ...beside]));
      }
      return removed;
    });
  }

  async dropSpace(spaceId: string): Promise<void> {
    const name = this.#collection(spaceId);
    this.#ready.delete(name);
    await reaching(() => this.#client.deleteCollection(name));
  }

  async count(spaceId: string, personId?: string): Promise<number> {
    const filter = personId === undefined ? {} : { filter: { must: ofPerson(personId) } };
    const name = this.#collection(spaceId);
    const { count } = await reaching(() =>
      this.#client.count(name, { ...filter, exact: true }).catch(ifNotFound({ count: 0 })),
    );
    return count;
  }

  async scan(
    spaceId: string,
    after: string | null,
    limit: number,
  ): Promise<{ points: { id: string; personId: string }[]; next: string | null }> {
    const page = await reaching(() =>
      this.#client
        .scroll(this.#collection(spaceId), {
          limit,
          with_payload: true,
          with_vector: false,
          ...(after !== null && { offset: after }),
        })
        .catch(ifNotFound({ points: [], next_page_offset: null })),
    );
    return {
      points: page.points.map(({ id, payload }) => ({
        id: String(id),
        personId: String(payload?.['person_id']),
      })),
      next: typeof page.next_page_offset === 'string' ? page.next_page_offset : null,
    };
  }

  async check(): Promise<void> {
    await reaching(() => this.#client.getCollections());
  }

  #collection(spaceId: string): string {
    return this.#prefix + spaceId;
  }

  async #make(name: string, space: EmbeddingSpace): Promise<void> {
    const { exists } = await this.#client.collectionExists(name);
    if (exists) await this.#checkDimensions(name, space);
    else await this.#create(name, space);
    // Safe to repeat: one that an earlier version made has fewer.
    await this.#client.createPayloadIndex(name, {
      wait: true,
      field_name: 'person_id',
      field_schema: { type: 'keyword', is_tenant: true },
    });
    for (const field_name of ['companion_id', 'audience', 'conversation']) {
      await this.#client.createPayloadIndex(name, { wait: true, field_name, field_schema: 'keyword' });
    }
    await this.#client.createPayloadIndex(name, {
      wait: true,
      field_name: 'said_at',
      field_schema: 'datetime',
    });
  }

  async #create(name: string, space: EmbeddingSpace): Promise<void> {
    try {
      await this.#client.createCollection(name, {
        vectors: { [DENSE]: { size: space.dimensions, distance: 'Cosine', on_disk: true } },
        sparse_vectors: { [LEXICAL]: { modifier: 'idf' } },
        // No graph over everyone: each person's points get their own, since nothing is searched across people.
        hnsw_config: { m: 0, payload_m: 16 },
      });
    } catch (error) {
      // Another replica was quicker.
      if (statusOf(error) !== 409) throw error;
    }
  }

  async #checkDimensions(name: string, space: EmbeddingSpace): Promise<void> {
    const { config } = await this.#client.getCollection(name);
    const vectors = config.params.vectors as Record<string, { size: number }> | undefined;
    const size = vectors?.[DENSE]?.size;
    if (size !== space.dimensions) {
      throw new Error(
        `collection ${name} has ${size} dimensions, the space ${space.id} has ${space.dimensions}`,
      );
    }
  }
}

function toContext({ id, payload }: { id: string | number; payload?: unknown }): ContextPoint {
  const held = payload as Record<string, unknown>;
  return {
    id: String(id),
    personId: String(held['person_id']),
    companionId: String(held['companion_id']),
    audience: String(held['audience']),
    conversation: String(held['conversation']),
    saidAt: new Date(String(held['said_at'])),
    terms: (held['terms'] ?? []) as string[],
  };
}

function matches(key: string, value: string): Condition {
  return { key, match: { value } };
}

function ofPerson(personId: string): Condition[] {
  return [matches('person_id', requirePerson(personId))];
}

function bestFirst(points: { id: string | number; score: number }[]): Found[] {
  return points
    .map(({ id, score }) => ({ id: String(id), score }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

function statusOf(error: unknown): number | undefined {
  const status = (error as { status?: unknown } | undefined)?.status;
  return typeof status === 'number' ? status : undefined;
}

const isNotFound = (error: unknown): boolean => statusOf(error) === 404;

/** A space nothing was ever written to has no collection yet, and one may be lost: there is nothing in it. */
function ifNotFound<T>(nothing: T): (error: unknown) => T {
  return (error) => {
    if (isNotFound(error)) return nothing;
    throw error;
  };
}

/** Tells "Qdrant is out of reach" from "we asked it something wrong", which is a bug and stays one. */
async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const status = statusOf(cause);
    if (status !== undefined && status < 500 && status !== 429 && status !== 408) throw cause;
    if (cause instanceof Error && status === undefined && !isTransportError(cause)) throw cause;
    throw new AppError('unavailable', 'Qdrant does not answer', undefined, { cause });
  }
}

function isTransportError(error: Error): boolean {
  return /fetch failed|Timeout|Abort|ECONN|socket/i.test(`${error.name} ${error.message}`);
}
