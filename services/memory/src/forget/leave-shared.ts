import { DOCUMENT_SOURCE } from '@kith/contracts';
import { sql, type Writer } from '@kith/database';

/** Matches a document as a source, and not that of a single chunk. */
export const IS_DOCUMENT = sql`source ~ '^document:[0-9a-f-]{36}$'`;

/**
 * Leaves chunks that another source has as well, such as a later version of the document, to that source, so that only
 * the document's own chunks are then forgotten. The caller holds the person's lock; upkeep indexes them again.
 * @param source a document; for a message nothing changes, as a row of several messages is removed as a whole
 */
export async function leaveShared(tx: Writer, personId: string, source: string): Promise<void> {
  if (!source.startsWith(DOCUMENT_SOURCE) || source.includes('#')) return;
  await tx.$executeRaw`
    UPDATE memories SET sources = others.sources,
      conversation = CASE WHEN conversation = ${source} THEN others.document ELSE conversation END,
      indexed_in = CASE WHEN conversation = ${source} THEN NULL ELSE indexed_in END
    FROM (
      SELECT id, array_agg(source ORDER BY n) AS sources,
        max(source) FILTER (WHERE ${IS_DOCUMENT}) AS document
      FROM memories CROSS JOIN unnest(sources) WITH ORDINALITY AS each (source, n)
      WHERE person_id = ${personId}::uuid AND sources @> ARRAY[${source}]
        AND source <> ${source} AND NOT starts_with(source, ${`${source}#`})
      GROUP BY id
    ) AS others
    WHERE memories.id = others.id`;
}
