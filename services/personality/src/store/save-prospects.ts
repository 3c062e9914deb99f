import type { Audience } from '@kith/contracts';
import { sql, toJsonb, uuid7, type Sql, type Writer } from '@kith/database';
import { MAX_OPEN, type NewProspect } from '../affect/prospect.js';
import type { Pair } from '../affect/feel-turns.js';

/** Changes of a turn to the prospects of a pair. */
export interface ProspectChange {
  told: readonly NewProspect[];
  /** Prospects that are over with it, by id. */
  closed: readonly string[];
  /** The audience of the turn. */
  audience: Audience;
  /** The messages of the turn, by their doors' ids. */
  messageIds: readonly string[];
}

/** The settled prospects that a pair keeps, to say what a feeling was about. */
const MAX_CLOSED = 24;

/** Stores a turn's prospects, closes settled ones, drops those past the limit. */
export async function saveProspects(
  tx: Writer,
  { turnId, companionId, personId }: Pair & { turnId: string },
  { told, closed, audience, messageIds }: ProspectChange,
  at: number,
): Promise<void> {
  if (told.length + closed.length === 0) return;
  const ofPair = sql`companion_id = ${companionId} AND person_id = ${personId}::uuid`;
  const keepLatest = (state: Sql, limit: number) => tx.$executeRaw`
    DELETE FROM prospects WHERE id IN (
      SELECT id FROM prospects WHERE ${ofPair} AND ${state} ORDER BY since DESC, id DESC OFFSET ${limit}
    )`;
  await Promise.all([
    tx.$executeRaw`
      UPDATE prospects SET settled_by = ${turnId}::uuid
      WHERE ${ofPair} AND id = ANY (${[...closed]}::uuid[]) AND settled_by IS NULL`,
    tx.$executeRaw`
      INSERT INTO prospects (id, companion_id, person_id, turn_id, kind, about, audience, desirability, likelihood,
        message_ids, since)
      SELECT id, ${companionId}, ${personId}::uuid, ${turnId}::uuid, kind, about, ${audience},
        desirability, likelihood, ${[...messageIds]}::text[], ${new Date(at)}::timestamptz
      FROM jsonb_to_recordset(${toJsonb(told.map((one) => ({ id: uuid7(), ...one })))}::jsonb)
        AS told (id uuid, kind text, about text, desirability float8, likelihood float8)
      ON CONFLICT DO NOTHING`,
    keepLatest(sql`settled_by IS NULL`, MAX_OPEN),
    keepLatest(sql`settled_by IS NOT NULL`, MAX_CLOSED),
  ]);
}
