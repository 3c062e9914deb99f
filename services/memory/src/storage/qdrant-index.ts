import { AppError, boundTime, type EmbeddingSpace } from '@kith/contracts';
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
import { borrowersOf, weighTogether, type ContextPoint } from './weigh-together.js';

const DENSE = 'dense';
const LEXICAL = 'bm25';
/** A recall has three seconds in all; a write can be done again. */
const TIMEOUT_MS = 5_000;

/** A line lends its words to so many on either side. */
const REACH = Math.max(TUNED.before.length, TUNED.after.length);
/** To weigh those again, so many on either side have to be known, and they can be so far away in time. */
const BESIDE = 2 * REACH;
const BESIDE_MS = BESIDE * PAUSE_MS;
/** Points whose neighbours are asked for at once: two searches each. */
const ASKED_AT_ONCE = 64;

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
    const beside = await reaching(() => this.#beside(name, points));
    const all = [...points, ...beside];
    const written = new Set(points.map(({ id }) => id));
    const borrowers = borrowersOf(all, written);
    const weights = weighTogether(all, new Set([...written, ...borrowers]));
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
      await this.#reweigh(name, borrowers, weights);
    });
  }

  async #reweigh(
    name: string,
    ids: ReadonlySet<string>,
    weights: ReturnType<typeof weighTogether>,
  ): Promise<void> {
    if (ids.size === 0) return;
    await this.#client.updateVectors(name, {
      wait: true,
      points: [...ids].map((id) => ({ id, vector: { [LEXICAL]: weights.get(id)! } })),
    });
  }

  /**
   * The points there are besides these and next to them in their conversations: as many as it takes to weigh anew
   * whatever these lend words to. Of more lines of one and the same moment any may be left out.
   */
  async #beside(name: string, points: readonly ContextPoint[]): Promise<ContextPoint[]> {
    const spoken = points.filter(({ conversation }) => conversation !== null);
    const own = points.map(({ id }) => id);
    const found = new Map<string, ContextPoint>();
    for (let from = 0; from < spoken.length; from += ASKED_AT_ONCE) {
      const searches = spoken.slice(from, from + ASKED_AT_ONCE).flatMap((point) => besideOf(point, own));
      const answers = await this.#client.queryBatch(name, { searches }).catch(ifNotFound([]));
      for (const each of answers.flatMap(({ points: near }) => near.map(toContext))) found.set(each.id, each);
    }
    return [...found.values()];
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
        const gone = 'ids' in which ? await this.#contexts(name, which.ids, must) : [];
        await this.#client.delete(name, { wait: true, filter: { must } });
        removed += count;
        await this.#forgetBeside(name, gone);
      }
      return removed;
    });
  }

  /** What is forgotten no longer lends its words to what was said beside it. */
  async #forgetBeside(name: string, gone: ContextPoint[]): Promise<void> {
    if (gone.every(({ conversation }) => conversation === null)) return;
    await this.#indexTimes(name);
    const beside = await this.#beside(name, gone);
    const borrowers = borrowersOf([...gone, ...beside], new Set(gone.map(({ id }) => id)));
    await this.#reweigh(name, borrowers, weighTogether(beside, borrowers));
  }

  async #contexts(name: string, ids: string[], must: Condition[]): Promise<ContextPoint[]> {
    const page = await this.#client
      .scroll(name, { filter: { must }, limit: ids.length, with_payload: true, with_vector: false })
      .catch(ifNotFound({ points: [], next_page_offset: null }));
    return page.points.map(toContext);
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
          with_payload: ['person_id'],
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
    await this.#indexTimes(name);
  }

  /** To be asked for in their order. Safe to repeat: a space of an earlier version may have no such index. */
  async #indexTimes(name: string): Promise<void> {
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
    saidAt: boundTime(new Date(String(held['said_at']))),
    terms: (held['terms'] ?? []) as string[],
  };
}

/** What is asked for the points before and behind this one. */
function besideOf({ personId, companionId, audience, conversation, saidAt }: ContextPoint, own: string[]) {
  const must = [
    ...ofPerson(personId),
    matches('companion_id', companionId),
    matches('audience', audience),
    matches('conversation', conversation!),
  ];
  const at = saidAt.toISOString();
  const after = (ms: number) => new Date(saidAt.getTime() + ms).toISOString();
  const side = (direction: 'asc' | 'desc', range: { gte: string; lte: string }) => ({
    query: { order_by: { key: 'said_at', direction } },
    filter: { must: [...must, { key: 'said_at', range }], must_not: [{ has_id: own }] },
    limit: BESIDE,
    with_payload: true,
    with_vector: false,
  });
  return [side('desc', { gte: after(-BESIDE_MS), lte: at }), side('asc', { gte: at, lte: after(BESIDE_MS) })];
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
