import { AppError, type EmbeddingSpace } from '@kith/contracts';
import {
  sql,
  toJsonb,
  type Database,
  type EndingWriter,
  type Reader,
  type Sql,
  type Tx,
  type Writer,
} from '@kith/database';
import { countTerms } from './bm25.js';
import { loadPoints } from './load-points.js';
import { readTallies } from './memory-tallies.js';
import { PersonCache, type CachedPerson } from './person-cache.js';
import { PersonVectors } from './person-vectors.js';
import {
  requirePerson,
  type Candidates,
  type IndexPoint,
  type IndexQuery,
  type IndexScope,
  type PointsWithin,
  type VectorIndex,
} from './vector-index.js';

/** Kept in memory at once: some hundred people with a thousand memories of 512 dimensions each. */
const CACHE_BYTES = 128 * 1024 * 1024;

/** Some 10 MB of vectors: a fraction of a second. */
const DROP_BATCH = 5_000;

/** Microseconds: two writes of one person are not made in the same one. */
const NOW_AS_VERSION = sql`(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`;

interface Versions {
  version: bigint;
  cleared: bigint;
}

/**
 * The index of a suite without Qdrant: each person's vectors in Postgres, searched whole in memory. Every
 * search compares the cache with a version that each write raises in its own transaction, so that no replica
 * answers from what another has changed.
 */
export class ExactIndex implements VectorIndex {
  readonly kind = 'exact';
  readonly #cache = new PersonCache(CACHE_BYTES);
  /** Loads of one person wait for each other; those of different people don't. */
  readonly #loading = new Map<string, Promise<CachedPerson | null>>();

  constructor(private readonly database: Database) {}

  async ensureSpace(): Promise<void> {
    // A space is a column's value here: there is nothing to make.
  }

  async upsert(space: EmbeddingSpace, points: IndexPoint[]): Promise<void> {
    for (const personId of new Set(points.map((point) => point.personId))) {
      const own = points.filter((point) => point.personId === personId);
      const written = await this.database
        .write({ personId: requirePerson(personId) }, (tx) => writePoints(tx, personId, space, own))
        .catch(unreachable);
      this.#keepUp(personId, space.id, own, written);
    }
  }

  readonly within: PointsWithin = {
    add: async (tx, personId, space, points) => {
      if (points.length === 0) return () => undefined;
      const [before, version] = await Promise.all([
        lockVersion(tx, personId, space.id),
        insertPoints(tx, requirePerson(personId), space, points, raising(personId, space.id)),
      ]);
      return () => this.#keepUp(personId, space.id, points, { before, version, hasReplaced: false });
    },
  };

  /** Adds what was just written to what is held, where nothing else was written in between: the next search finds it. */
  #keepUp(
    personId: string,
    spaceId: string,
    points: readonly IndexPoint[],
    { before, version, hasReplaced }: Written,
  ): void {
    const key = keyOf(personId, spaceId);
    const held = this.#cache.get(key);
    if (!held || hasReplaced || held.version !== before || this.#loading.has(key)) return;
    held.vectors.add(
      points.map(({ terms, saidAt, ...point }) => ({
        ...point,
        terms: Object.fromEntries(countTerms(terms)),
        saidAt: saidAt.getTime(),
      })),
    );
    this.#cache.put(key, { vectors: held.vectors, version });
  }

  async candidates(
    spaceId: string,
    scope: IndexScope,
    query: IndexQuery,
    { mayBeStale } = { mayBeStale: false },
  ): Promise<Candidates> {
    const personId = requirePerson(scope.personId);
    const held = mayBeStale ? this.#cache.get(keyOf(personId, spaceId)) : undefined;
    if (held) {
      const isCurrent = async (reader: Reader) =>
        (await readVersions(reader, personId, spaceId).catch(unreachable))?.version === held.version;
      return { ...held.vectors.search(scope, query), isCurrent };
    }
    const person = await this.#load(personId, spaceId);
    return person?.vectors.search(scope, query) ?? { dense: [], lexical: [] };
  }

  async vectors(spaceId: string, personId: string, ids: string[]): Promise<Map<string, Float32Array>> {
    // What a search has just loaded will do: vectors of these ids do not change.
    const held = this.#cache.get(keyOf(requirePerson(personId), spaceId));
    const person = held ?? (await this.#load(personId, spaceId));
    return new Map(
      ids.flatMap((id) => {
        const vector = person?.vectors.vectorOf(id);
        return vector ? [[id, vector] as const] : [];
      }),
    );
  }

  async delete(personId: string, which: { ids: string[] } | { companionId: string | null }): Promise<number> {
    return this.#asPerson(personId, async (tx) => {
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
  }

  async dropSpace(space: string): Promise<void> {
    let removed: number;
    do {
      removed = await this.#asSystem(
        (tx) => tx.$executeRaw`
          DELETE FROM memory_vectors WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM memory_vectors WHERE space = ${space} LIMIT ${DROP_BATCH}))`,
      );
    } while (removed === DROP_BATCH);
    // What replicas hold of it is out of date, should it ever be filled again.
    await this.#asSystem(
      (tx) => tx.$executeRaw`
        UPDATE memory_vector_versions
        SET version = greatest(version + 1, now.stamp), cleared_version = greatest(version + 1, now.stamp)
        FROM (SELECT ${NOW_AS_VERSION} AS stamp) AS now WHERE space = ${space}`,
    );
  }

  async count(spaceId: string, personId?: string): Promise<number> {
    if (personId !== undefined)
      return this.#asPerson(personId, (tx) => tx.memoryVector.count({ where: { space: spaceId, personId } }));
    const tallies = await this.database.read('system', readTallies).catch(unreachable);
    return tallies.pointsIn(spaceId);
  }

  async scan(
    spaceId: string,
    after: string | null,
    limit: number,
  ): Promise<{ points: { id: string; personId: string }[]; next: string | null }> {
    const rows = await this.#asSystem((tx) =>
      tx.memoryVector.findMany({
        where: { space: spaceId, ...(after !== null && { memoryId: { gt: after } }) },
        select: { memoryId: true, personId: true },
        orderBy: { memoryId: 'asc' },
        take: limit,
      }),
    );
    const points = rows.map(({ memoryId, personId }) => ({ id: memoryId, personId }));
    return { points, next: points.length === limit ? points.at(-1)!.id : null };
  }

  async check(): Promise<void> {
    await this.database.ping();
  }

  /** The person's points as they are now; null when there are none. */
  async #load(personId: string, spaceId: string): Promise<CachedPerson | null> {
    const key = keyOf(personId, spaceId);
    const held = this.#cache.get(key);
    const now = await this.database
      .read({ personId: requirePerson(personId) }, (reader) => readVersions(reader, personId, spaceId))
      .catch(unreachable);
    // Versions only rise: what is gone, or begins anew, was lost, and what is held of it with it.
    if (!now || (held && held.version > now.version)) this.#cache.drop(key);
    if (!now) return null;
    if (held?.version === now.version) return held;
    const before = this.#loading.get(key) ?? Promise.resolve(null);
    const loading = before
      .catch(() => null)
      .then(() =>
        this.database
          .read({ personId }, (reader) => this.#catchUp(reader, personId, spaceId, key))
          .catch(unreachable),
      );
    this.#loading.set(key, loading);
    try {
      return await loading;
    } finally {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    }
  }

  /** Brings the cache up to the version that is read first; later writes are the next search's. */
  async #catchUp(reader: Reader, personId: string, space: string, key: string): Promise<CachedPerson | null> {
    const now = await readVersions(reader, personId, space);
    if (!now) return null;
    const held = this.#cache.get(key);
    if (held && held.version >= now.version) return held;
    const base = held && held.version >= now.cleared ? held : null;
    let vectors = base?.vectors;
    const written = { after: base?.version ?? 0n, upTo: now.version };
    for await (const points of loadPoints(reader, { personId, space }, written)) {
      vectors ??= new PersonVectors(points[0]!.vector.length);
      vectors.add(points);
    }
    if (!vectors) return null;
    const person = { vectors, version: now.version };
    this.#cache.put(key, person);
    return person;
  }

  #asPerson<T>(personId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.asPerson(requirePerson(personId), work).catch(unreachable);
  }

  #asSystem<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.asSystem(work).catch(unreachable);
  }
}

function keyOf(personId: string, spaceId: string): string {
  return `${personId} ${spaceId}`;
}

/** The person's version of a space before and after a write, and whether points were there already. */
interface Written {
  before: bigint | null;
  version: bigint;
  hasReplaced: boolean;
}

async function writePoints(
  tx: EndingWriter,
  personId: string,
  space: EmbeddingSpace,
  points: IndexPoint[],
): Promise<Written> {
  const ids = points.map(({ id }) => id);
  const [before, version, replaced] = await Promise.all([
    lockVersion(tx, personId, space.id),
    raiseVersion(tx, personId, space.id),
    tx.$executeRaw`
      DELETE FROM memory_vectors WHERE person_id = ${personId}::uuid AND space = ${space.id}
        AND memory_id = ANY(${ids}::uuid[])`,
  ]);
  await tx.last(() =>
    Promise.all([
      replaced > 0 && clearUpTo(tx, personId, space.id, version),
      insertPoints(tx, personId, space, points, sql`SELECT ${version}::bigint AS version`),
    ]),
  );
  return { before, version, hasReplaced: replaced > 0 };
}

/**
 * Inserts points as one list of rows and one of bytes, however many there are.
 * @param raised a query for the version they get
 */
async function insertPoints(
  tx: Writer,
  personId: string,
  { id: space }: EmbeddingSpace,
  points: readonly IndexPoint[],
  raised: Sql,
): Promise<bigint> {
  const rows = points.map(({ id, companionId, audience, terms, conversation, saidAt }, place) => ({
    ...{ place, id, audience, conversation },
    companion_id: companionId,
    said_at: saidAt,
    terms: Object.fromEntries(countTerms(terms)),
  }));
  const vectors = toBytes(points.map(({ vector }) => vector));
  const width = vectors.byteLength / points.length;
  const [row] = await tx.$queryRaw<{ version: bigint }[]>`
    WITH raised AS (${raised}), points AS (
      INSERT INTO memory_vectors (memory_id, space, person_id, companion_id, audience, vector, terms, conversation,
        said_at, version)
      SELECT id, ${space}, ${personId}::uuid, companion_id, audience,
        substring(${vectors}::bytea FROM place * ${width}::int + 1 FOR ${width}::int), terms, conversation, said_at,
        raised.version
      FROM raised, jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS point (place int, id uuid, companion_id text,
        audience text, terms jsonb, conversation text, said_at timestamptz)
    )
    SELECT version FROM raised`;
  return row!.version;
}

/**
 * Also makes the person's writers of this space wait for each other: versions are seen in their order. They hold the
 * time, so that none comes twice: a crash may lose the last ones, which some cache still holds.
 */
function raising(personId: string, space: string): Sql {
  return sql`
    INSERT INTO memory_vector_versions AS held (person_id, space, version, cleared_version)
    VALUES (${personId}::uuid, ${space}, ${NOW_AS_VERSION}, 0)
    ON CONFLICT (person_id, space) DO UPDATE SET version = greatest(held.version + 1, excluded.version)
    RETURNING version`;
}

async function raiseVersion(tx: Writer, personId: string, space: string): Promise<bigint> {
  const [row] = await tx.$queryRaw<{ version: bigint }[]>(raising(personId, space));
  return row!.version;
}

/** The version as it is up to the end of the transaction; null while there is none. */
async function lockVersion(tx: Writer, personId: string, space: string): Promise<bigint | null> {
  const [row] = await tx.$queryRaw<{ version: bigint }[]>`
    SELECT version FROM memory_vector_versions WHERE person_id = ${personId}::uuid AND space = ${space} FOR UPDATE`;
  return row?.version ?? null;
}

async function clearUpTo(tx: Writer, personId: string, space: string, clearedVersion: bigint): Promise<void> {
  await tx.$executeRaw`
    UPDATE memory_vector_versions SET cleared_version = ${clearedVersion}
    WHERE person_id = ${personId}::uuid AND space = ${space}`;
}

async function readVersions(reader: Reader, personId: string, space: string): Promise<Versions | null> {
  const [row] = await reader.$queryRaw<{ version: string; cleared: string }[]>`
    SELECT version::text, cleared_version::text AS cleared FROM memory_vector_versions
    WHERE person_id = ${personId}::uuid AND space = ${space}`;
  return row ? { version: BigInt(row.version), cleared: BigInt(row.cleared) } : null;
}

/** Vectors end to end, as little-endian float32. */
function toBytes(vectors: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const dimensions = vectors[0]?.length ?? 0;
  const all = new Float32Array(vectors.length * dimensions);
  vectors.forEach((vector, i) => all.set(vector, i * dimensions));
  return new Uint8Array(all.buffer);
}

function unreachable(cause: unknown): never {
  throw new AppError('unavailable', 'the index in Postgres cannot be read', undefined, { cause });
}
