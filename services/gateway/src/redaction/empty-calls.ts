import { sql, type Sql, type Tx } from '@kith/database';
import { repeats, tellingWords } from '../quotes/quote-finder.js';

/** SQL that takes the words out of a call. How it ended stays; one that is being made may have happened. */
export const WITHOUT_WORDS = sql`arguments = '{}', result = NULL, ended_at = coalesce(ended_at, now()),
  status = CASE status WHEN 'running' THEN 'failed' WHEN 'waiting' THEN 'expired' ELSE status END`;
/** SQL that matches a call which these words would be taken from. */
export const HAS_WORDS = sql`(arguments <> '{}' OR result IS NOT NULL OR status = 'running')`;

/**
 * SQL for calls of a person's turns, and of everybody's in some conversations. A turn that calls has a step that says so;
 * most have none, so only those steps are looked up.
 * @param shared selects those conversations
 * @param which condition on the calls
 */
function callsOfTurns(personId: string, shared: Sql, which: Sql): Sql {
  return sql`
    SELECT id FROM tool_calls WHERE person_id = ${personId}::uuid AND turn_id IS NOT NULL AND ${which}
    UNION SELECT id FROM turn_steps JOIN tool_calls USING (turn_id)
      WHERE turn_steps.conversation_id IN (${shared}) AND turn_steps.calls <> '[]' AND ${which}`;
}

/**
 * Empties the calls that `emptySteps` empties the steps of: what a tool was given, and what it told, may repeat any line or
 * memory of its turn's prompt. A question that waits keeps what is to be answered (`withdrawQuestions`).
 */
export async function emptyCalls(tx: Tx, personId: string, shared: Sql): Promise<void> {
  const which = sql`${HAS_WORDS} AND (status <> 'waiting' OR expires_at <= now())`;
  await tx.$executeRaw`
    UPDATE tool_calls SET ${WITHOUT_WORDS} WHERE id = ANY (ARRAY(
      SELECT id FROM tool_calls WHERE id IN (${callsOfTurns(personId, shared, which)}) ORDER BY id FOR UPDATE))`;
}

/**
 * Withdraws questions that wait for their person and repeat words that are gone, unless the person said the word again in
 * the turn that asks: nobody is to be shown them, and a yes would send them out.
 * @param shared selects conversations where others' prompts held the words
 */
export async function withdrawQuestions(
  tx: Tx,
  personId: string,
  shared: Sql,
  words: ReadonlySet<string>,
): Promise<void> {
  if (words.size === 0) return;
  // What a turn under way answers has no lines yet.
  const waiting = await tx.$queryRaw<{ id: string; arguments: Record<string, unknown>; said: string }[]>`
    SELECT id::text, arguments, coalesce((
      SELECT string_agg(text, ' ') FROM transcript
      WHERE transcript.turn_id = tool_calls.turn_id AND role = 'person'
    ), (
      SELECT string_agg(text, ' ') FROM inbox
      WHERE inbox.conversation_id = tool_calls.conversation_id AND inbox.person_id = tool_calls.person_id
        AND outcome IS NULL AND forgotten_by IS NULL AND origin = 'message'
    ), '') AS said
    FROM tool_calls WHERE id IN (${callsOfTurns(personId, shared, sql`status = 'waiting'`)})`;
  const repeating = waiting.filter(({ arguments: given, said }) =>
    repeats(textOf(Object.values(given)), words, tellingWords(said)),
  );
  await tx.$executeRaw`
    DELETE FROM tool_calls WHERE status = 'waiting' AND id = ANY (${repeating.map(({ id }) => id)}::uuid[])`;
}

/** Writes values of arguments as text. A line break is none of its words' letters, as its escape would be. */
function textOf(values: readonly unknown[]): string {
  return JSON.stringify(values).replaceAll(/\\(?:u.{4}|.)/gu, ' ');
}
