import { firstOf } from '@kith/contracts';
import { columnOf, sql, type Reader, type Sql, type Writer } from '@kith/database';

/** The time in microseconds: no two writes of one person are made in the same one. */
export const NOW_AS_VERSION = sql`(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`;

/**
 * Builds the statement that raises a version. It makes writers of one person and space wait for each other, so that versions
 * are seen in their order. A version is a time, so that none comes twice, not even after a crash that lost the last ones
 * while some cache still has them.
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
  return firstOf(await tx.$queryRaw<{ version: bigint }[]>(raising(personId, space))).version;
}

/** Reads a person's version of a space, and holds it to the end of the transaction; null while there is none. */
export async function lockVersion(tx: Writer, personId: string, space: string): Promise<bigint | null> {
  const [version] = await columnOf(tx)<bigint>`
    SELECT version FROM memory_vector_versions WHERE person_id = ${personId}::uuid AND space = ${space} FOR UPDATE`;
  return version ?? null;
}

/** Notes that points were removed or replaced: caches of an older version start over. */
export async function clearUpTo(tx: Writer, personId: string, space: string, clearedVersion: bigint) {
  await tx.$executeRaw`
    UPDATE memory_vector_versions SET cleared_version = ${clearedVersion}
    WHERE person_id = ${personId}::uuid AND space = ${space}`;
}

/**
 * Reads a person's versions of a space: of the last write, and of the last that removed or replaced points. Null when
 * there never was a point.
 */
export async function readVersions(reader: Reader, personId: string, space: string) {
  const [row] = await reader.$queryRaw<{ version: string; cleared: string }[]>`
    SELECT version::text, cleared_version::text AS cleared FROM memory_vector_versions
    WHERE person_id = ${personId}::uuid AND space = ${space}`;
  return row ? { version: BigInt(row.version), cleared: BigInt(row.cleared) } : null;
}
