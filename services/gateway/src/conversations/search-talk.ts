import { MAX_MESSAGE_CHARACTERS } from '@kith/contracts';
import type { Database, Reader } from '@kith/database';
import { toldTo } from './may-tell.js';
import type { Speaker } from './conversations.js';
import type { EarlierMessage } from './talk.js';
import { MAX_CHARACTERS, rankLines, stemsOf } from './rank-lines.js';

/** Line that a search found, or one beside it. */
export interface FoundLine extends EarlierMessage {
  /** Messages of its turn, by which notes made of it are found. */
  sources: string[];
}

/** Newest lines with a word of the query that are ranked: reading them takes some milliseconds. */
const MAX_CANDIDATES = 2_000;
/** Lines before and after each: a short answer is about the question before it. */
const BESIDE = 1;

/**
 * Searches the whole conversation, every epoch of it, for the words of a query, as far as it may be told this person.
 * Returns passages, best first: fitting lines with the lines beside them, oldest first.
 */
export function searchTalk(
  database: Database,
  { conversationId, personId }: Speaker,
  query: string,
  limit: number,
): Promise<FoundLine[][]> {
  const stems = stemsOf(query);
  if (stems.length === 0) return Promise.resolve([]);
  return database.read({ conversationId }, async (reader) => {
    const lines = await reader.$queryRaw<{ id: bigint; text: string }[]>`
      SELECT id, text FROM (
        SELECT id, text, sum(length(text)) OVER (ORDER BY id DESC) AS characters FROM (
          SELECT id, left(text, ${MAX_MESSAGE_CHARACTERS}) AS text FROM transcript
          WHERE conversation_id = ${conversationId}::uuid AND ${toldTo(personId)}
            AND lower(text) LIKE ANY (${stems.map((stem) => `%${stem}%`)}::text[])
          ORDER BY id DESC LIMIT ${MAX_CANDIDATES}) AS newest
      ) AS line
      WHERE characters <= ${MAX_CHARACTERS} ORDER BY id DESC`;
    const best = rankLines(stems, lines.reverse()).slice(0, limit);
    const passages = best.length === 0 ? [] : await beside(reader, { conversationId, personId }, best);
    return best.flatMap(({ id }, at) => {
      const hit = passages.filter((line) => line.hit === id);
      // Lines already told beside a better one are not repeated.
      const isTold = passages.some(
        (line) => line.id === id && best.findIndex((one) => one.id === line.hit) < at,
      );
      return isTold ? [] : [hit];
    });
  });
}

/** Reads the lines around each of these. */
function beside(reader: Reader, { conversationId, personId }: Speaker, hits: readonly { id: bigint }[]) {
  return reader.$queryRaw<(FoundLine & { hit: bigint })[]>`
    SELECT hit.id AS hit, line.id, role, name, text, at, turn_id AS "turnId", person_id AS "personId",
      external_id AS "externalId",
      ARRAY(SELECT external_id FROM transcript WHERE turn_id = line.turn_id AND external_id IS NOT NULL) AS sources
    FROM unnest(${hits.map(({ id }) => String(id))}::bigint[]) AS hit (id) CROSS JOIN LATERAL (
      (SELECT * FROM transcript WHERE conversation_id = ${conversationId}::uuid AND id <= hit.id AND ${toldTo(personId)}
        ORDER BY id DESC LIMIT ${BESIDE + 1})
      UNION ALL
      (SELECT * FROM transcript WHERE conversation_id = ${conversationId}::uuid AND id > hit.id AND ${toldTo(personId)}
        ORDER BY id LIMIT ${BESIDE})
    ) AS line ORDER BY hit.id, line.id`;
}
