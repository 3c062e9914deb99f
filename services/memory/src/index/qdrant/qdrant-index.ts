import { isDeepStrictEqual } from 'node:util';
import { type EmbeddingSpace, inParts, isQdrantTooOld, OLDEST_QDRANT, present } from '@kith/contracts';
import { QdrantClient } from '@qdrant/js-client-rest';
import type { MemoryScope } from '../../rows/memory-scope.js';
import { sparseQuery } from '../../words/bm25.js';
import {
  requirePerson,
  type Candidates,
  type HeldPoint,
  type IndexPoint,
  type IndexQuery,
  type PointPage,
  type VectorIndex,
} from '../vector-index.js';
import { Collections, DENSE, LEXICAL } from './collections.js';
import { ifNotFound, isNotFound, reaching } from './qdrant-errors.js';
import { mixLikeness } from './mix-likeness.js';
import {
  AROUND,
  besideOf,
  bestFirst,
  matches,
  ofPerson,
  sampleOf,
  toContext,
  toLine,
  type Condition,
} from './qdrant-queries.js';
import { borrowersOf, weighTogether, type ContextPoint } from './weigh-together.js';

/** Tells that the server is too old for what is asked of it. */
export class ServerTooOld extends Error {}

/** Time that Qdrant has for an answer. Recall stops waiting sooner, and a write is repeated. */
const TIMEOUT_MS = 5_000;

/** Points whose neighbours are asked for at once: two searches each. */
const ASKED_AT_ONCE = 64;

/**
 * Index of a suite with Qdrant: one collection for each embedding space. Only this class has the client, and whatever it
 * searches or removes is under a filter on one person.
 */
export class QdrantIndex implements VectorIndex {
  readonly kind = 'qdrant';
  private readonly client: QdrantClient;
  private readonly collections: Collections;
  private readonly url: string;

  constructor(settings: { url: string; apiKey?: string | undefined; collectionPrefix?: string | undefined }) {
    // The client's own check only warns on the console, and of any version but its own. Ours is `checkVersion`.
    this.client = new QdrantClient({
      url: settings.url,
      timeout: TIMEOUT_MS,
      checkCompatibility: false,
      // The client's `apiKey` would warn on the console about each private network.
      ...(settings.apiKey && { headers: { 'api-key': settings.apiKey } }),
    });
    this.collections = new Collections(this.client, settings.collectionPrefix ?? 'kith-memories-', () =>
      this.checkVersion(),
    );
    this.url = settings.url;
  }

  /** Checks that the server can do what is asked of it. @throws ServerTooOld, or AppError `unavailable` */
  async checkVersion(): Promise<void> {
    const { version } = await reaching(() => this.client.versionInfo());
    if (isQdrantTooOld(version))
      throw new ServerTooOld(
        `Qdrant at ${this.url} is ${version}, and too old: update it to ${OLDEST_QDRANT} or later, or set VECTOR_INDEX to exact`,
      );
  }

  ensureSpace(space: EmbeddingSpace): Promise<void> {
    return this.collections.ensure(space);
  }

  async upsert(space: EmbeddingSpace, points: readonly IndexPoint[]): Promise<void> {
    if (points.length === 0) return;
    await this.ensureSpace(space);
    const name = this.collections.nameOf(space.id);
    await reaching(() =>
      this.write(name, points).catch(async (error: unknown) => {
        // The collection was removed meanwhile, or a point beside these: try once more.
        if (!isNotFound(error)) throw error;
        await this.collections.make(space);
        await this.write(name, points);
      }),
    );
  }

  private async write(name: string, points: readonly IndexPoint[]): Promise<void> {
    const beside = await this.beside(name, points);
    const all = [...points, ...beside];
    const written = new Set(points.map(({ id }) => id));
    const borrowers = borrowersOf(all, written);
    const weights = weighTogether(all, new Set([...written, ...borrowers]));
    const body = points.map((point) => ({
      id: point.id,
      vector: { [DENSE]: Array.from(point.vector), [LEXICAL]: present(weights.get(point.id)) },
      payload: {
        person_id: requirePerson(point.personId),
        companion_id: point.companionId,
        audience: point.audience,
        conversation: point.conversation,
        said_at: point.saidAt.toISOString(),
        terms: point.terms,
        digest: point.digest,
      },
    }));
    await this.client.upsert(name, { wait: true, points: body });
    // Points that were there already have new neighbours.
    await this.reweigh(name, borrowers, weights);
  }

  private async reweigh(name: string, ids: ReadonlySet<string>, weights: ReturnType<typeof weighTogether>) {
    if (ids.size === 0) return;
    await this.client.updateVectors(name, {
      wait: true,
      points: [...ids].map((id) => ({ id, vector: { [LEXICAL]: present(weights.get(id)) } })),
    });
  }

  /**
   * Reads the points next to these in their conversations: as many as it takes to weigh all points anew that these lend
   * words to. Where more were said at one moment than are read, any of them may be left out.
   */
  private async beside(name: string, points: readonly ContextPoint[]): Promise<ContextPoint[]> {
    const spoken = points.filter(({ conversation }) => conversation !== null);
    const own = points.map(({ id }) => id);
    const found = new Map<string, ContextPoint>();
    for (const some of inParts(spoken, ASKED_AT_ONCE)) {
      const searches = some.flatMap((point) => besideOf(point, own));
      const answers = await this.client.queryBatch(name, { searches }).catch(ifNotFound([]));
      for (const each of answers.flatMap(({ points: near }) => near.map(toContext))) found.set(each.id, each);
    }
    return [...found.values()];
  }

  async candidates(spaceId: string, scope: MemoryScope, query: IndexQuery): Promise<Candidates> {
    const must = [...ofPerson(scope.personId), matches('companion_id', scope.companionId)];
    if (scope.audience !== 'direct') must.push(matches('audience', scope.audience));
    const any = [...(query.left ?? [])];
    const filter = { must, ...(any.length > 0 && { must_not: [{ key: 'audience', match: { any } }] }) };
    const common = { filter, limit: query.limit, with_payload: false, with_vector: false };
    const dense = query.vector && { ...common, query: Array.from(query.vector), using: DENSE };
    const isMeaning = query.kind === 'semantic';
    const searches = {
      ...(dense && { dense: isMeaning ? { ...dense, ...AROUND } : dense }),
      ...(dense && isMeaning && { sample: { ...dense, ...sampleOf(filter) } }),
      ...(query.terms.length > 0 && {
        lexical: { ...common, query: sparseQuery(query.terms), using: LEXICAL },
      }),
    };
    const arms = Object.keys(searches) as (keyof typeof searches)[];
    if (arms.length === 0) return { dense: [], lexical: [] };
    const answers = await reaching(() =>
      this.client
        .queryBatch(this.collections.nameOf(spaceId), { searches: Object.values(searches) })
        .catch(ifNotFound([])),
    );
    const pointsOf = (arm: keyof typeof searches) => answers[arms.indexOf(arm)]?.points ?? [];
    const lexical = bestFirst(pointsOf('lexical'));
    if (!isMeaning) return { dense: bestFirst(pointsOf('dense')), lexical };
    const mixed = mixLikeness(
      pointsOf('dense').map((point) => ({ ...toLine(point), cosine: point.score })),
      pointsOf('sample').map(({ score }) => score),
    );
    const byWords = new Set(lexical.map(({ id }) => id));
    return { dense: mixed.filter(({ id }, place) => place < query.limit || byWords.has(id)), lexical };
  }

  async vectors(spaceId: string, personId: string, ids: string[]): Promise<Map<string, Float32Array>> {
    const must = [...ofPerson(personId), { has_id: ids }];
    if (ids.length === 0) return new Map();
    const { points } = await this.scroll(this.collections.nameOf(spaceId), {
      filter: { must },
      limit: ids.length,
      with_payload: false,
      with_vector: [DENSE],
    });
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
      const { collections } = await this.client.getCollections();
      let removed = 0;
      for (const { name } of collections.filter((each) => each.name.startsWith(this.collections.prefix))) {
        removed += await this.deleteFrom(name, 'ids' in which ? which.ids : [], must).catch(
          async (error: unknown) => {
            // The collection was removed meanwhile.
            if (isNotFound(error) && !(await this.client.collectionExists(name)).exists) return 0;
            throw error;
          },
        );
      }
      return removed;
    });
  }

  private async deleteFrom(name: string, ids: string[], must: Condition[]): Promise<number> {
    const { count } = await this.client.count(name, { filter: { must }, exact: true });
    if (count === 0) return 0;
    // First the words that they lent: a retry after a failure still needs the points to find those.
    const gone = ids.length > 0 ? await this.contexts(name, ids, must) : [];
    await this.forgetBeside(name, gone);
    await this.client.delete(name, { wait: true, filter: { must } });
    // Points that were written beside them until then have borrowed their words, too.
    await this.forgetBeside(name, gone);
    return count;
  }

  /** Weighs anew what was said beside points that are forgotten, which no longer lend it their words. */
  private async forgetBeside(name: string, gone: ContextPoint[]): Promise<void> {
    if (gone.every(({ conversation }) => conversation === null)) return;
    await this.collections.indexTimes(name);
    const weighAnew = async (): Promise<void> => {
      const beside = await this.beside(name, gone);
      const borrowers = borrowersOf([...gone, ...beside], new Set(gone.map(({ id }) => id)));
      await this.reweigh(name, borrowers, weighTogether(beside, borrowers));
    };
    await weighAnew().catch(async (error: unknown) => {
      // A point beside these was removed meanwhile: try once more.
      if (!isNotFound(error)) throw error;
      await weighAnew();
    });
  }

  private async contexts(name: string, ids: string[], must: Condition[]): Promise<ContextPoint[]> {
    const { points } = await this.scroll(name, { filter: { must }, limit: ids.length, with_payload: true });
    return points.map(toContext);
  }

  /** Reads points; none where the collection is missing. */
  private scroll(name: string, query: Parameters<QdrantClient['scroll']>[1]) {
    return reaching(() =>
      this.client.scroll(name, query).catch(ifNotFound({ points: [], next_page_offset: null })),
    );
  }

  useSpace(spaceId: string): Promise<void> {
    return this.collections.nameInUse(spaceId);
  }

  async dropSpace(spaceId: string): Promise<void> {
    await this.collections.drop(spaceId);
  }

  async held(spaceId: string, points: readonly HeldPoint[]): Promise<Set<string>> {
    const has_id = points.map(({ id }) => id);
    const page = await this.scroll(this.collections.nameOf(spaceId), {
      filter: { must: [{ has_id }] },
      limit: Math.max(1, has_id.length),
      with_payload: ['terms', 'digest'],
    });
    const payloads = new Map(page.points.map(({ id, payload }) => [String(id), payload]));
    const isHeld = ({ id, terms, digest }: HeldPoint) =>
      isDeepStrictEqual(payloads.get(id), { terms, digest });
    return new Set(points.filter(isHeld).map(({ id }) => id));
  }

  async count(spaceId: string, personId?: string): Promise<number> {
    const filter = personId === undefined ? {} : { filter: { must: ofPerson(personId) } };
    const name = this.collections.nameOf(spaceId);
    const { count } = await reaching(() =>
      this.client.count(name, { ...filter, exact: true }).catch(ifNotFound({ count: 0 })),
    );
    return count;
  }

  async scan(spaceId: string, after: string | null, limit: number): Promise<PointPage> {
    const { points, next_page_offset: next } = await this.scroll(this.collections.nameOf(spaceId), {
      limit,
      with_payload: ['person_id'],
      ...(after !== null && { offset: after }),
    });
    return {
      points: points.map(({ id, payload }) => ({ id: String(id), personId: String(payload?.['person_id']) })),
      next: typeof next === 'string' ? next : null,
    };
  }

  async check(): Promise<void> {
    await reaching(() => this.client.getCollections());
  }
}
