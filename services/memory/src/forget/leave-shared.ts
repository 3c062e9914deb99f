import { DOCUMENT_SOURCE } from '@kith/contracts';
import { sql, type Tx, type Writer } from '@kith/database';
import { saveTexts } from '../facts/chosen-name.js';
import { describeFact } from '../facts/describe-fact.js';
import { factOf } from '../facts/fact-records.js';
import { COLUMNS, type MemoryRow } from '../rows/memory-row.js';

/** Matches a document as a source, and not that of a single chunk. */
export const IS_DOCUMENT = sql`source ~ '^document:[0-9a-f-]{36}$'`;

/**
 * Leaves chunks that another source shares, such as a later version of the document, to that source. Only the
 * document's own chunks are then forgotten, with all that was derived from them. A companion's note goes too: it names
 * every source that it may repeat, and the question that it answered does not keep it. The caller holds the person's
 * lock; upkeep indexes them again.
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
        AND kind NOT IN ('reflection', 'fact') AND writer <> 'companion'
        AND source <> ${source} AND NOT starts_with(source, ${`${source}#`})
      GROUP BY id
    ) AS others
    WHERE memories.id = others.id`;
}

/**
 * Leaves derived facts that a line which stays tells, too, to that line: it would be read again without what has ended
 * the fact since. How often it was said stays, as others ended by it do. A model's sentence may hold what only the lines
 * that go tell: the fact is told in a plain one from then on, and upkeep indexes it again.
 * @param gone rows that are removed; facts among them are not left
 * @returns ids of the facts that stay
 */
export async function leaveTold(
  tx: Tx,
  personId: string,
  made: readonly string[],
  gone: readonly string[],
): Promise<Set<string>> {
  const left = await tx.$queryRaw<MemoryRow[]>`
    WITH told AS MATERIALIZED (
      SELECT companion_id, source, array_agg(DISTINCT audience) AS audiences
      FROM memories CROSS JOIN unnest(sources) AS source
      WHERE person_id = ${personId}::uuid AND kind = 'episode' AND id <> ALL (${[...gone]}::uuid[])
      GROUP BY companion_id, source
    )
    UPDATE memories AS row SET sources = others.sources
    FROM (
      SELECT fact.id, array_agg(source ORDER BY n) AS sources
      FROM memories AS fact CROSS JOIN unnest(fact.sources) WITH ORDINALITY AS each (source, n)
      JOIN told USING (companion_id, source)
      WHERE fact.person_id = ${personId}::uuid AND fact.kind = 'fact' AND fact.id = ANY (${[...made]}::uuid[])
        AND fact.id <> ALL (${[...gone]}::uuid[])
      GROUP BY fact.id
      -- The copy of a fact that was ended elsewhere is told by lines of another audience, and not by the one that ended it.
      HAVING bool_or(told.audiences <> ARRAY[fact.audience]) OR fact.valid_to IS DISTINCT FROM fact.said_at
        OR fact.superseded_by IS NOT NULL
    ) AS others
    WHERE row.id = others.id
    RETURNING ${COLUMNS}`;
  // What its owner put right is told by them, and by no line.
  const worded = left.filter(({ wording, writer }) => wording !== null && writer !== 'person');
  await saveTexts(
    tx,
    worded.map((row) => ({
      id: row.id,
      text: describeFact({ ...factOf(row), wording: null }, row.speaker ?? 'The person'),
    })),
  );
  const where = { id: { in: worded.map(({ id }) => id) } };
  await tx.memory.updateMany({ where, data: { wording: null, writer: 'person' } });
  return new Set(left.map(({ id }) => id));
}
