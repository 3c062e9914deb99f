import { emptySql, type Reader, type Sql } from '@kith/database';
import { toldTo } from '../forgetting/may-tell.js';

/** Line of the conversation so far. */
export interface EarlierMessage {
  id: bigint;
  role: 'person' | 'companion';
  name: string;
  text: string;
  at: Date;
  turnId: string;
  /** The door's own id; null for what the companion said. */
  externalId: string | null;
}

/** Line that a snapshot tells. */
export interface KeptLine extends EarlierMessage {
  /** By its facts alone, rather than by its sentences that say most. */
  asFact: boolean;
}

/** The newest epoch of a conversation. */
export interface CurrentEpoch {
  id: string;
  number: number;
  tailFrom: bigint;
}

/** Talk of a conversation, as a prompt may tell it to one person. */
export interface Talk {
  /** Null before the first snapshot. */
  epoch: CurrentEpoch | null;
  /** Lines that the epoch's snapshot tells, oldest first. */
  kept: KeptLine[];
  /** Lines since, oldest first. */
  earlier: EarlierMessage[];
}

/**
 * Lines that a prompt tells as they are, at most: an epoch ends by then, however short they are. Read anew for each turn,
 * a thousand take some five milliseconds.
 */
export const MAX_TAIL_LINES = 1_000;

/**
 * Reads what may be told this person of the conversation: the newest epoch's snapshot, and all that was said since. Both
 * are read from the transcript: what was forgotten or changed there is so here.
 * @param where a condition without which nothing is read
 */
export async function readTalk(
  reader: Reader,
  { conversationId, personId }: { conversationId: string; personId: string },
  where: Sql = emptySql,
): Promise<Talk> {
  const [epochs, lines] = await Promise.all([
    reader.$queryRaw<CurrentEpoch[]>`
      SELECT epoch_id AS id, number, tail_from AS "tailFrom" FROM epochs
      WHERE conversation_id = ${conversationId}::uuid ORDER BY number DESC LIMIT 1`,
    reader.$queryRaw<KeptLine[]>`
      WITH epoch AS MATERIALIZED (
        SELECT tail_from, kept, facts FROM epochs WHERE conversation_id = ${conversationId}::uuid ORDER BY number DESC LIMIT 1
      ), told AS (
        (SELECT id, role, name, text, at, turn_id, external_id FROM transcript
        WHERE conversation_id = ${conversationId}::uuid AND id >= coalesce((SELECT tail_from FROM epoch), 0)
          AND ${toldTo(personId)} ${where}
        ORDER BY id DESC LIMIT ${MAX_TAIL_LINES})
        UNION ALL
        SELECT id, role, name, text, at, turn_id, external_id FROM transcript
        WHERE id = ANY ((SELECT kept FROM epoch)::bigint[]) AND conversation_id = ${conversationId}::uuid
          AND ${toldTo(personId)} ${where}
      )
      SELECT id, role, name, text, at, turn_id AS "turnId", external_id AS "externalId",
        coalesce(id = ANY ((SELECT facts FROM epoch)::bigint[]), false) AS "asFact"
      FROM told ORDER BY id`,
  ]);
  const epoch = epochs[0] ?? null;
  const isKept = ({ id }: EarlierMessage) => epoch !== null && id < epoch.tailFrom;
  const earlier = lines.filter((line) => !isKept(line)).map(({ asFact: _, ...line }) => line);
  return { epoch, kept: lines.filter(isKept), earlier };
}
