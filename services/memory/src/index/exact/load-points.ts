import { lastOf } from '@kith/contracts';
import type { Reader } from '@kith/database';
import type { StoredPoint } from './person-vectors.js';

/** Points that are read at once: some MB with their vectors. */
const PAGE = 500;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const LAST_VERSION = 9_223_372_036_854_775_807n;

/** A page, aggregated by Postgres: to read ten thousand single rows takes seconds, this a fraction of one. */
interface Page {
  /** The person's version of the space when it was read; null while there never was a point. */
  version: string | null;
  /** `[id, companion, audience, terms, version, conversation, when it was said]` each. */
  points: string | null;
  /** Their vectors, end to end. */
  vectors: Uint8Array | null;
}

type PointRow = [string, string, string, Record<string, number>, string, string | null, number];

/**
 * Reads, in pages, a person's points in a space that were written after version `after` and no later than `upTo`, those
 * written last first. If `upTo` is null, the present version is used, at no extra round trip. Each page includes
 * the version.
 */
export async function* loadPoints(
  reader: Reader,
  of: { personId: string; space: string },
  { after, upTo }: { after: bigint; upTo: bigint | null },
): AsyncGenerator<{ points: StoredPoint[]; upTo: bigint }> {
  // Each further page begins behind the last point of the one before.
  let from = { version: LAST_VERSION, id: LAST_ID };
  let last = upTo;
  for (;;) {
    const [page] = await reader.$queryRaw<Page[]>`
      WITH written AS MATERIALIZED (
        SELECT coalesce(${last}::bigint, (
          SELECT version FROM memory_vector_versions
          WHERE person_id = ${of.personId}::uuid AND space = ${of.space})) AS version
      ), page AS (
        SELECT memory_id, companion_id, audience, terms, vector, version, conversation, said_at FROM memory_vectors
        WHERE person_id = ${of.personId}::uuid AND space = ${of.space} AND version <= (SELECT version FROM written)
          AND version > ${after} AND (version, memory_id) < (${from.version}, ${from.id}::uuid)
        ORDER BY version DESC, memory_id DESC LIMIT ${PAGE}
      )
      SELECT (SELECT version::text FROM written) AS version,
        string_agg(vector, ''::bytea ORDER BY version DESC, memory_id DESC) AS vectors,
        json_agg(json_build_array(memory_id, companion_id, audience, terms, version::text,
          conversation, (extract(epoch FROM said_at) * 1000)::bigint)
          ORDER BY version DESC, memory_id DESC)::text AS points
      FROM page`;
    if (!page?.version || !page.points || !page.vectors) return;
    last = BigInt(page.version);
    const rows = JSON.parse(page.points) as PointRow[];
    // Copied, as the driver's bytes may begin anywhere in a shared buffer, and floats may not.
    const floats = new Float32Array(new Uint8Array(page.vectors).buffer);
    const dimensions = floats.length / rows.length;
    const points = rows.map(([id, companionId, audience, terms, , conversation, saidAt], i) => ({
      id,
      companionId,
      audience,
      terms,
      conversation,
      saidAt,
      vector: floats.subarray(i * dimensions, (i + 1) * dimensions),
    }));
    yield { points, upTo: last };
    if (rows.length < PAGE) return;
    const [id, , , , version] = lastOf(rows);
    from = { version: BigInt(version), id };
  }
}
