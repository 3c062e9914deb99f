import type { Audience } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import { oneByOne } from '@kith/messaging';
import { tellingWords } from './find-quotes.js';
import { empty, outdate, quotesOf, recalledQuotes } from './talk-records.js';

/**
 * Replies that were written elsewhere, with a memory of a place that the app has left since, and repeat its words: they
 * are told no more, come back with the app, or lose their words when the place's time is over.
 */
export class LeftReplies {
  constructor(private readonly database: Database) {}

  /** Holds back what repeats what was said in these places. What was recalled too long ago is in no trace any more. */
  async hold(audiences: readonly Audience[]): Promise<void> {
    const people = await this.database.asSystem(
      (tx) => tx.$queryRaw<{ id: string }[]>`
        SELECT DISTINCT turns.person_id::text AS id FROM conversations JOIN turns USING (conversation_id)
        WHERE conversations.audience = ANY (${[...audiences]}::text[])`,
    );
    await oneByOne(people, ({ id }) => this.database.asSystem((tx) => holdOf(tx, id, audiences)));
  }

  /** The app is back in these places: what is held back for nothing else is told again. */
  async release(audiences: readonly Audience[]): Promise<void> {
    await this.database.asSystem(
      (tx) => tx.$executeRaw`
        UPDATE transcript SET left_from = rest, withheld = CASE WHEN rest = '{}' THEN NULL ELSE withheld END
        FROM (SELECT id AS line, ARRAY(
            SELECT unnest(left_from) EXCEPT SELECT unnest(${[...audiences]}::text[])) AS rest
          FROM transcript WHERE withheld = 'left' AND left_from && ${[...audiences]}::text[]) AS held
        WHERE id = line`,
    );
  }

  /** The place's time is over: the words go. */
  async drop(audience: Audience): Promise<void> {
    await this.database.asSystem(async (tx) => {
      const rows = await tx.$queryRaw<{ id: bigint }[]>`
        UPDATE transcript SET left_from = '{}' WHERE withheld = 'left' AND left_from && ${[audience]}::text[]
        RETURNING id`;
      await empty(
        tx,
        rows.map(({ id }) => id),
        'left',
      );
    });
  }
}

async function holdOf(tx: Tx, personId: string, audiences: readonly Audience[]): Promise<void> {
  // A turn that is under way has recalled it already.
  await outdate(tx, personId);
  const recalled = await tx.$queryRaw<{ turnId: string; audience: Audience; text: string }[]>`
    SELECT turn_id::text AS "turnId", entry ->> 'audience' AS audience, entry ->> 'text' AS text FROM turns
    CROSS JOIN LATERAL jsonb_array_elements(
      CASE WHEN jsonb_typeof(trace -> 'recalled') = 'array' THEN trace -> 'recalled' ELSE '[]' END) AS entry
    WHERE person_id = ${personId}::uuid AND entry ->> 'audience' = ANY (${[...audiences]}::text[])
      AND turns.audience <> entry ->> 'audience'`;
  for (const [audience, found] of Map.groupBy(recalled, (one) => one.audience)) {
    const words = new Set(found.flatMap(({ text }) => [...tellingWords(text)]));
    const first = await recalledQuotes(
      tx,
      found.map(({ turnId }) => turnId),
      words,
    );
    const lines = await tx.transcriptMessage.findMany({
      where: { id: { in: first } },
      select: { id: true, conversationId: true, text: true },
    });
    // And what was written with such a reply in view.
    const repeated = new Map(
      lines.map(({ id, text }) => [id, new Set([...tellingWords(text)].filter((word) => words.has(word)))]),
    );
    const ids = [...first, ...(await quotesOf(tx, lines, repeated, false))];
    await tx.$executeRaw`
      UPDATE transcript SET withheld = 'left', left_from = array_append(left_from, ${audience})
      WHERE id = ANY (${ids}::bigint[]) AND (withheld IS NULL OR withheld = 'left')
        AND NOT ${audience} = ANY (left_from)`;
  }
}
