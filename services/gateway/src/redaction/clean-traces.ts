import { columnOf, sql, type Tx } from '@kith/database';

/** Removed memories and the messages they were derived from, to find the traces and replies that used them. */
export interface RemovedMemories {
  memoryIds: readonly string[];
  sources: readonly string[];
}

/** SQL for the memories that a turn was shown: recalled ones with their words, others by their ids alone. */
export const shownIn = sql`jsonb_array_elements(
  CASE WHEN jsonb_typeof(trace -> 'recalled') = 'array' THEN trace -> 'recalled' ELSE '[]' END
  || CASE WHEN jsonb_typeof(trace -> 'alsoShown') = 'array' THEN trace -> 'alsoShown' ELSE '[]' END)`;

/** SQL that matches a trace's entries of these memories or messages. */
const isOf = ({ memoryIds, sources }: RemovedMemories) =>
  sql`(entry ->> 'id' = ANY (${[...memoryIds]}::text[])
    OR jsonb_exists_any(entry -> 'sources', ${[...sources]}::text[]))`;

/** Finds the conversations with a person's turns that were shown these memories, or memories of these messages. */
export async function placesShown(tx: Tx, personId: string, remembered: RemovedMemories): Promise<string[]> {
  if (remembered.memoryIds.length + remembered.sources.length === 0) return [];
  return columnOf(tx)`
    SELECT DISTINCT conversation_id::text FROM turns CROSS JOIN LATERAL ${shownIn} AS entry
    WHERE person_id = ${personId}::uuid AND ${isOf(remembered)}`;
}

/** Turns that were shown removed memories, with the memories' words, null where only an id is kept. */
export interface ShownEntries {
  turnIds: string[];
  entries: { text: string | null }[];
}

/** Finds the entries of removed memories and messages in a person's traces. */
export async function entriesOf(
  tx: Tx,
  personId: string,
  remembered: RemovedMemories,
): Promise<ShownEntries> {
  if (remembered.memoryIds.length + remembered.sources.length === 0) return { turnIds: [], entries: [] };
  const entries = await tx.$queryRaw<{ turnId: string; text: string | null }[]>`
    SELECT turn_id AS "turnId", entry ->> 'text' AS text FROM turns
    CROSS JOIN LATERAL ${shownIn} AS entry
    WHERE person_id = ${personId}::uuid AND ${isOf(remembered)}`;
  return { turnIds: [...new Set(entries.map(({ turnId }) => turnId))], entries };
}

/** Removes entries of removed memories and messages from a person's traces. Returns what it removed. */
export async function cleanTraces(
  tx: Tx,
  personId: string,
  remembered: RemovedMemories,
): Promise<ShownEntries> {
  const shown = await entriesOf(tx, personId, remembered);
  if (shown.turnIds.length > 0) {
    const isGone = isOf(remembered);
    await tx.$executeRaw`
      UPDATE turns SET trace = jsonb_set(trace, '{recalled}', coalesce((
        SELECT jsonb_agg(entry) FROM jsonb_array_elements(trace -> 'recalled') AS entry WHERE NOT ${isGone}), '[]'))
      WHERE turn_id = ANY (${shown.turnIds}::uuid[]) AND jsonb_typeof(trace -> 'recalled') = 'array'
        AND EXISTS (SELECT 1 FROM jsonb_array_elements(trace -> 'recalled') AS entry WHERE ${isGone})`;
  }
  return shown;
}

/** Finds the person's turns that were shown memories of a message, with the memories' words, null where only an id is kept. */
export function turnsShown(
  tx: Tx,
  personId: string,
  source: string,
): Promise<{ turnId: string; text: string | null }[]> {
  return tx.$queryRaw<{ turnId: string; text: string | null }[]>`
    SELECT turn_id::text AS "turnId", entry ->> 'text' AS text FROM turns CROSS JOIN LATERAL ${shownIn} AS entry
    WHERE person_id = ${personId}::uuid AND jsonb_exists(entry -> 'sources', ${source})`;
}
