import type { Exchange } from '@kith/contracts';
import type { Database } from '@kith/database';
import { mayTell } from './may-tell.js';

/** Reads the companion's part of turns, with what it had said to the same person right before. */
export function readExchanges(database: Database, turnIds: readonly string[]): Promise<Exchange[]> {
  return database.read('system', async (reader) => {
    const rows = await reader.$queryRaw<ExchangeRow[]>`
      SELECT turns.turn_id::text AS "turnId", before.text, before.at, before.withheld, reply.text AS reply,
        reply.withheld AS "replyWithheld", turns.person_id::text AS "personId",
        ARRAY(SELECT jsonb_array_elements(turns.trace -> 'recalled') ->> 'id') AS recalled
      FROM turns
      LEFT JOIN LATERAL (SELECT min(id) AS id FROM transcript WHERE turn_id = turns.turn_id) AS first ON TRUE
      LEFT JOIN LATERAL (
        SELECT role, person_id, text, at, withheld FROM transcript
        WHERE conversation_id = turns.conversation_id AND id < first.id ORDER BY id DESC LIMIT 1
      ) AS before ON before.role = 'companion' AND before.person_id = turns.person_id
      LEFT JOIN LATERAL (
        SELECT text, withheld FROM transcript WHERE turn_id = turns.turn_id AND role = 'companion' ORDER BY id DESC LIMIT 1
      ) AS reply ON TRUE
      WHERE turns.turn_id = ANY (${[...turnIds]}::uuid[])`;
    return rows.map(({ turnId, personId, recalled, text, at, withheld, reply, replyWithheld }) => ({
      turnId,
      recalled,
      before:
        text === null || at === null || !mayTell({ personId, text, withheld }, null)
          ? null
          : { text, at: at.toISOString() },
      reply:
        reply === null || !mayTell({ personId, text: reply, withheld: replyWithheld }, null) ? null : reply,
    }));
  });
}

interface ExchangeRow {
  turnId: string;
  personId: string;
  recalled: string[];
  text: string | null;
  at: Date | null;
  withheld: string | null;
  reply: string | null;
  replyWithheld: string | null;
}
