import { type EmbeddingSpace, firstOf } from '@kith/contracts';
import { sql, toJsonb, type EndingWriter, type Sql, type Writer } from '@kith/database';
import { countTerms } from '../../words/bm25.js';
import type { IndexPoint } from '../vector-index.js';
import { NOW_AS_VERSION, raiseVersion, lockVersion, clearUpTo } from './index-versions.js';

/** A person's version of a space before and after a write, and whether points were there already. */
export interface WrittenVersion {
  before: bigint | null;
  version: bigint;
  hasReplaced: boolean;
}

/** Replaces points of one person in a space. */
export async function writePoints(
  tx: EndingWriter,
  personId: string,
  space: EmbeddingSpace,
  points: readonly IndexPoint[],
): Promise<WrittenVersion> {
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
    place,
    id,
    audience,
    conversation,
    companion_id: companionId,
    said_at: saidAt,
    terms: Object.fromEntries(countTerms(terms)),
  }));
  // End to end, as little-endian float32.
  const vectors = Buffer.concat(
    points.map(({ vector }) => new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)),
  );
  const width = vectors.byteLength / points.length;
  const written = await tx.$queryRaw<{ version: bigint }[]>`
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
  return firstOf(written).version;
}

/** Notes that the points of everybody in a space are gone. */
export async function clearSpace(tx: Writer, space: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE memory_vector_versions
    SET version = greatest(version + 1, now.stamp), cleared_version = greatest(version + 1, now.stamp)
    FROM (SELECT ${NOW_AS_VERSION} AS stamp) AS now WHERE space = ${space}`;
}
