import type { Audience } from '@kith/contracts';
import { columnOf, type Database, type Tx } from '@kith/database';
import { oneByOne } from '@kith/messaging';
import { emptyLines, outdateReplies } from './empty-lines.js';
import { recalledQuotes, wordsOfAll } from './reply-quotes.js';
import { shownIn } from './clean-traces.js';

/**
 * Replies elsewhere that repeat words of a memory from a place that the app has left since. They are held back until the
 * app returns, and emptied once the place's data is deleted.
 */
export class LeftReplies {
  constructor(private readonly database: Database) {}

  /** Holds back replies that repeat what was said in these places, as far as traces still name the recalled memories. */
  async hold(audiences: readonly Audience[]): Promise<void> {
    const people = await columnOf(this.database.reader('system'))`
      SELECT DISTINCT turns.person_id::text FROM conversations JOIN turns USING (conversation_id)
      WHERE conversations.audience = ANY (${[...audiences]}::text[])`;
    await oneByOne(people, (id) => this.database.asSystem((tx) => holdOf(tx, id, audiences)));
  }

  /** Releases replies that were held back for these places alone, as the app is back there. */
  async release(audiences: readonly Audience[]): Promise<void> {
    await this.database.writer('system').$executeRaw`
      UPDATE transcript SET left_from = rest, withheld = CASE WHEN rest = '{}' THEN NULL ELSE withheld END
      FROM (SELECT id AS line, ARRAY(
          SELECT unnest(left_from) EXCEPT SELECT unnest(${[...audiences]}::text[])) AS rest
        FROM transcript WHERE withheld = 'left' AND left_from && ${[...audiences]}::text[]) AS held
      WHERE id = line`;
  }

  /** Empties the replies that were held back for a place whose data is deleted. */
  async drop(audience: Audience): Promise<void> {
    await this.database.asSystem(async (tx) => {
      const ids = await columnOf(tx)<bigint>`
        UPDATE transcript SET left_from = '{}' WHERE withheld = 'left' AND left_from && ${[audience]}::text[]
        RETURNING id`;
      await emptyLines(tx, ids, 'left');
    });
  }
}

async function holdOf(tx: Tx, personId: string, audiences: readonly Audience[]): Promise<void> {
  // A turn under way may have recalled such a memory already.
  await outdateReplies(tx, personId, []);
  const recalled = await tx.$queryRaw<{ turnId: string; audience: Audience; text: string | null }[]>`
    WITH shown AS (
      SELECT turn_id, turns.audience AS told_to, entry FROM turns CROSS JOIN LATERAL ${shownIn} AS entry
      WHERE person_id = ${personId}::uuid
    ), touched AS (
      SELECT DISTINCT turn_id, entry ->> 'audience' AS audience FROM shown
      WHERE entry ->> 'audience' = ANY (${[...audiences]}::text[]) AND told_to <> entry ->> 'audience'
    )
    SELECT turn_id::text AS "turnId", touched.audience, coalesce(entry ->> 'text', line.text) AS text
    FROM touched JOIN shown USING (turn_id)
    LEFT JOIN LATERAL (
      SELECT string_agg(transcript.text, ' ') AS text FROM inbox JOIN transcript USING (turn_id, external_id)
      WHERE inbox.person_id = ${personId}::uuid
        AND inbox.external_id IN (SELECT jsonb_array_elements_text(entry -> 'sources'))
    ) AS line ON entry ->> 'text' IS NULL
    WHERE coalesce(entry ->> 'audience', touched.audience) = touched.audience`;
  for (const [audience, found] of Map.groupBy(recalled, (one) => one.audience)) {
    const turnIds = found.map(({ turnId }) => turnId);
    const ids = await recalledQuotes(tx, turnIds, await wordsOfAll(tx, found));
    await tx.$executeRaw`
      UPDATE transcript SET withheld = 'left', left_from = array_append(left_from, ${audience})
      WHERE id = ANY (${ids}::bigint[]) AND (withheld IS NULL OR withheld = 'left')
        AND NOT ${audience} = ANY (left_from)`;
  }
}
