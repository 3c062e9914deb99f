import { isDeepStrictEqual } from 'node:util';
import { AppError, type EmbeddingSpace, firstOf, lastOf } from '@kith/contracts';
import { sql, type Database, type Reader, type Tx } from '@kith/database';
import type { Logger } from 'pino';
import { countTerms } from '../../words/bm25.js';
import { loadPoints } from './load-points.js';
import { readTallies } from '../../rows/memory-tallies.js';
import { removePoints } from '../../rows/postgres-points.js';
import { clearSpace, insertPoints, writePoints, type WrittenVersion } from './point-rows.js';
import { clearUpTo, lockVersion, raiseVersion, raising, readVersions } from './index-versions.js';
import { HELD_SHARE, isOver, LOADED, PersonCache, type CachedPerson } from './person-cache.js';
import { PersonVectors } from './person-vectors.js';
import {
  requirePerson,
  type Candidates,
  type HeldPoint,
  type IndexPoint,
  type IndexQuery,
  type PointPage,
  type PointsWithin,
  type VectorIndex,
} from '../vector-index.js';
import type { MemoryScope } from '../../rows/memory-scope.js';

/** Bytes of vectors that are held in memory: some hundred people with a thousand memories of 512 dimensions each. */
const CACHE_BYTES = 128 * 1024 * 1024;

/** Owner and space of points. */
type PointsOf = Readonly<{ personId: string; space: string }>;

/**
 * Index of a suite without Qdrant: each person's vectors are in Postgres, and all of them are searched in memory. Each
 * write raises a version in its own transaction, and each search compares the cache with it, so that no replica answers
 * from what another has changed.
 */
export class ExactIndex implements VectorIndex {
  readonly kind = 'exact';
  private readonly cache = new PersonCache(CACHE_BYTES);
  /** Loads of one person wait for each other; those of different people don't. */
  private readonly loading = new Map<string, Promise<CachedPerson | null>>();
  /** @param loaded bounds of what is loaded of a person */
  constructor(
    private readonly database: Database,
    private readonly logger?: Pick<Logger, 'warn'>,
    private readonly loaded = LOADED,
  ) {}

  /** Does nothing: a space is the value of a column here. */
  async ensureSpace(): Promise<void> {}

  async upsert(space: EmbeddingSpace, points: readonly IndexPoint[]): Promise<void> {
    for (const personId of new Set(points.map((point) => point.personId))) {
      const own = points.filter((point) => point.personId === personId);
      const isCommitted = await this.database
        .write({ personId: requirePerson(personId) }, (tx) => this.within.replace(tx, personId, space, own))
        .catch(unreachable);
      isCommitted();
    }
  }

  readonly within: PointsWithin = {
    add: async (tx, personId, space, points) => {
      if (points.length === 0) return () => undefined;
      const [before, version] = await Promise.all([
        lockVersion(tx, personId, space.id),
        insertPoints(tx, requirePerson(personId), space, points, raising(personId, space.id)),
      ]);
      return () => this.addToCache(personId, space.id, points, { before, version, hasReplaced: false });
    },
    replace: async (tx, personId, space, points) => {
      const written = await writePoints(tx, personId, space, points);
      return () => this.addToCache(personId, space.id, points, written);
    },
  };

  /** Adds points that were just written to the cache, where nothing else was written in between: the next search finds them. */
  private addToCache(
    personId: string,
    spaceId: string,
    points: readonly IndexPoint[],
    { before, version, hasReplaced }: WrittenVersion,
  ): void {
    const key = keyOf(personId, spaceId);
    const held = this.cache.get(key);
    if (!held || hasReplaced || held.version !== before || this.loading.has(key)) return;
    held.vectors.add(
      points.map(({ terms, saidAt, ...point }) => ({
        ...point,
        terms: Object.fromEntries(countTerms(terms)),
        saidAt: saidAt.getTime(),
      })),
    );
    if (isOver(held.vectors, this.loaded, HELD_SHARE)) this.cache.drop(key);
    else this.cache.put(key, { ...held, version });
  }

  async candidates(
    spaceId: string,
    scope: MemoryScope,
    query: IndexQuery,
    { mayBeStale } = { mayBeStale: false },
  ): Promise<Candidates> {
    const personId = requirePerson(scope.personId);
    const held = mayBeStale ? this.cache.get(keyOf(personId, spaceId)) : undefined;
    const person = held ?? (await this.load(personId, spaceId));
    if (!person) return { dense: [], lexical: [] };
    const isCurrent = async (reader: Reader) =>
      (await readVersions(reader, personId, spaceId).catch(unreachable))?.version === person.version;
    const found = { ...person.vectors.search(scope, query), ...(person.isPart && { isPart: true }) };
    return held ? { ...found, isCurrent } : found;
  }

  async vectors(spaceId: string, personId: string, ids: string[]): Promise<Map<string, Float32Array>> {
    // The cache need not be current: vectors of these ids do not change.
    const held = this.cache.get(keyOf(requirePerson(personId), spaceId));
    const person = held ?? (await this.load(personId, spaceId));
    const vectors = new Map<string, Float32Array>();
    for (const id of ids) {
      const vector = person?.vectors.vectorOf(id);
      if (vector) vectors.set(id, vector);
    }
    return vectors;
  }

  async delete(personId: string, which: { ids: string[] } | { companionId: string | null }): Promise<number> {
    const removed = await this.asPerson(personId, async (tx) => {
      const spaces = await tx.memoryVectorVersion.findMany({ where: { personId } });
      let removed = 0;
      for (const { space } of spaces) {
        const version = await raiseVersion(tx, personId, space);
        const { count } = await tx.memoryVector.deleteMany({
          where: {
            personId,
            space,
            ...('ids' in which && { memoryId: { in: which.ids } }),
            ...('companionId' in which && which.companionId !== null && { companionId: which.companionId }),
          },
        });
        if (count > 0) await clearUpTo(tx, personId, space, version);
        removed += count;
      }
      return removed;
    });
    // An erased person's rows are gone already, so none are removed here.
    if (removed > 0 || 'companionId' in which) await this.forgetCached(personId);
    return removed;
  }

  /** Drops what is cached of a person, so that nothing of forgotten points stays in memory until their next search. */
  private async forgetCached(personId: string): Promise<void> {
    const isTheirs = (key: string) => key.startsWith(keyOf(personId, ''));
    // A load under way may have read forgotten points.
    const loads = [...this.loading].filter(([key]) => isTheirs(key)).map(([, loading]) => loading);
    await Promise.allSettled(loads);
    this.cache.dropAll(isTheirs);
  }

  /** Does nothing: the space in use is in `memory_spaces`, beside the vectors. */
  async useSpace(): Promise<void> {}

  async dropSpace(space: string): Promise<void> {
    await removePoints(this.database, sql`space = ${space}`).catch(unreachable);
    // So that replicas drop what they cached of it, should it be filled again.
    await this.asSystem((tx) => clearSpace(tx, space));
  }

  async held(space: string, points: readonly HeldPoint[]): Promise<Set<string>> {
    const asked = new Map(points.map(({ id, terms }) => [id, Object.fromEntries(countTerms(terms))]));
    const rows = await this.asSystem((tx) =>
      tx.memoryVector.findMany({
        where: { space, memoryId: { in: [...asked.keys()] } },
        select: { memoryId: true, terms: true },
      }),
    );
    const same = rows.filter(({ memoryId, terms }) => isDeepStrictEqual(terms, asked.get(memoryId)));
    return new Set(same.map(({ memoryId }) => memoryId));
  }

  async count(spaceId: string, personId?: string): Promise<number> {
    if (personId !== undefined)
      return this.asPerson(personId, (tx) => tx.memoryVector.count({ where: { space: spaceId, personId } }));
    const tallies = await this.database.read('system', readTallies).catch(unreachable);
    return tallies.pointsIn(spaceId);
  }

  async scan(spaceId: string, after: string | null, limit: number): Promise<PointPage> {
    const rows = await this.asSystem((tx) =>
      tx.memoryVector.findMany({
        where: { space: spaceId, ...(after !== null && { memoryId: { gt: after } }) },
        select: { memoryId: true, personId: true },
        orderBy: { memoryId: 'asc' },
        take: limit,
      }),
    );
    const points = rows.map(({ memoryId, personId }) => ({ id: memoryId, personId }));
    return { points, next: points.length === limit ? lastOf(points).id : null };
  }

  async check(): Promise<void> {
    await this.database.ping();
  }

  /** Loads a person's points as they are now; null when there are none. */
  private async load(personId: string, spaceId: string): Promise<CachedPerson | null> {
    const scope = { personId: requirePerson(personId) };
    const key = keyOf(personId, spaceId);
    const held = this.cache.get(key);
    if (held) {
      const now = await this.database
        .read(scope, (reader) => readVersions(reader, personId, spaceId))
        .catch(unreachable);
      // A missing or lower version means that the table was reset.
      if (!now || held.version > now.version) this.cache.drop(key);
      if (!now) return null;
      if (held.version === now.version) return held;
    }
    const before = this.loading.get(key) ?? Promise.resolve(null);
    const loading = before
      .catch(() => null)
      .then(() =>
        this.database
          .read(scope, (reader) => this.catchUp(reader, { personId, space: spaceId }, key))
          .catch(unreachable),
      );
    this.loading.set(key, loading);
    try {
      return await loading;
    } finally {
      if (this.loading.get(key) === loading) this.loading.delete(key);
    }
  }

  /** Adds to what is cached of a person, or loads them anew. Later writes are left to the next search. */
  private async catchUp(reader: Reader, of: PointsOf, key: string): Promise<CachedPerson | null> {
    const extended = await this.extend(reader, of, key);
    if (!extended) this.cache.drop(key);
    const person = extended ?? (await this.loadNewest(reader, of));
    if (person) this.cache.put(key, person);
    return person;
  }

  /**
   * Adds the points that were written since a person was cached, up to a version that is read first; null where nobody is
   * cached, where points were removed, and where they are too many to be held.
   */
  private async extend(reader: Reader, of: PointsOf, key: string): Promise<CachedPerson | null> {
    const now = this.cache.get(key) ? await readVersions(reader, of.personId, of.space) : null;
    const held = this.cache.get(key);
    if (!now || !held || held.version < now.cleared) return null;
    if (held.version >= now.version) return held;
    for await (const { points } of loadPoints(reader, of, { after: held.version, upTo: now.version })) {
      held.vectors.add(points);
      if (isOver(held.vectors, this.loaded, HELD_SHARE)) return null;
    }
    return { ...held, version: now.version };
  }

  /** Loads a person's points as they are now, the newest where they are too many; null where there are none. */
  private async loadNewest(reader: Reader, of: PointsOf): Promise<CachedPerson | null> {
    let person: CachedPerson | null = null;
    for await (const { points, upTo: version } of loadPoints(reader, of, { after: 0n, upTo: null })) {
      person ??= { vectors: new PersonVectors(firstOf(points).vector.length), version, isPart: false };
      person.vectors.add(points);
      if (!isOver(person.vectors, this.loaded, 1)) continue;
      this.logger?.warn(
        { personId: of.personId, points: person.vectors.size },
        'only the newest memories of a person are searched',
      );
      return { ...person, isPart: true };
    }
    return person;
  }

  private asPerson<T>(personId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.asPerson(requirePerson(personId), work).catch(unreachable);
  }

  private asSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.asSystem(work).catch(unreachable);
  }
}

function keyOf(personId: string, spaceId: string): string {
  return `${personId} ${spaceId}`;
}

function unreachable(cause: unknown): never {
  throw new AppError('unavailable', 'the index in Postgres cannot be read', undefined, { cause });
}
