import type { EmbeddingSpace } from '@kith/contracts';
import { sql, toJsonb, type EndingWriter, type Reader, type Sql, type Writer } from '@kith/database';
import { countTerms } from '../../words/bm25.js';
import type { IndexPoint } from '../vector-index.js';

/** Microseconds: two writes of one person are not made in the same one. */
const NOW_AS_VERSION = sql`(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`;

/** Versions of a person's points in a space: of the last write, and of the last that removed or replaced some. */
interface Versions {
  version: bigint;
  cleared: bigint;
}

/** A person's version of a space before and after a write, and whether points were there already. */
export interface Written {
  before: bigint | null;
  version: bigint;
  hasReplaced: boolean;
}

/** Replaces points of one person's in a space. */
export async function writePoints(
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
export async function insertPoints(
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
 * Builds the statement that raises a version. Writers of one person and space wait for each other by it, so that versions
 * are seen in their order. A version is a time, so that none comes twice: a crash may lose the last ones, which some
 * cache still holds.
 */
export function raising(personId: string, space: string): Sql {
  return sql`
    INSERT INTO memory_vector_versions AS held (person_id, space, version, cleared_version)
    VALUES (${personId}::uuid, ${space}, ${NOW_AS_VERSION}, 0)
    ON CONFLICT (person_id, space) DO UPDATE SET version = greatest(held.version + 1, excluded.version)
    RETURNING version`;
}

/** Raises a person's version of a space, and locks it. */
export async function raiseVersion(tx: Writer, personId: string, space: string): Promise<bigint> {
  const [row] = await tx.$queryRaw<{ version: bigint }[]>(raising(personId, space));
  return row!.version;
}

/** Reads a person's version of a space, and holds it to the end of the transaction; null while there is none. */
export async function lockVersion(tx: Writer, personId: string, space: string): Promise<bigint | null> {
  const [row] = await tx.$queryRaw<{ version: bigint }[]>`
    SELECT version FROM memory_vector_versions WHERE person_id = ${personId}::uuid AND space = ${space} FOR UPDATE`;
  return row?.version ?? null;
}

/** Notes that points were removed or replaced: caches of an older version begin anew. */
export async function clearUpTo(
  tx: Writer,
  personId: string,
  space: string,
  clearedVersion: bigint,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE memory_vector_versions SET cleared_version = ${clearedVersion}
    WHERE person_id = ${personId}::uuid AND space = ${space}`;
}

/** Reads a person's versions of a space; null when there never was a point. */
export async function readVersions(
  reader: Reader,
  personId: string,
  space: string,
): Promise<Versions | null> {
  const [row] = await reader.$queryRaw<{ version: string; cleared: string }[]>`
    SELECT version::text, cleared_version::text AS cleared FROM memory_vector_versions
    WHERE person_id = ${personId}::uuid AND space = ${space}`;
  return row ? { version: BigInt(row.version), cleared: BigInt(row.cleared) } : null;
}

/** Lays vectors end to end, as little-endian float32. */
function toBytes(vectors: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const dimensions = vectors[0]?.length ?? 0;
  const all = new Float32Array(vectors.length * dimensions);
  vectors.forEach((vector, i) => all.set(vector, i * dimensions));
  return new Uint8Array(all.buffer);
}

/** Notes that everybody's points of a space are gone. */
export async function clearSpace(tx: Writer, space: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE memory_vector_versions
    SET version = greatest(version + 1, now.stamp), cleared_version = greatest(version + 1, now.stamp)
    FROM (SELECT ${NOW_AS_VERSION} AS stamp) AS now WHERE space = ${space}`;
}
