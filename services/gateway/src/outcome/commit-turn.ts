import { lastOf, type ModelUsage } from '@kith/contracts';
import type { Database, Writer } from '@kith/database';
import type { FinishedTurn } from '../answer/finished-turn.js';
import { TurnInterrupted } from '../signals/interruptions.js';
import { endLease } from '../inbox/lease.js';
import type { Claim } from '../inbox/claim.js';
import { insertUsage } from '../safety/usage-ledger.js';
import { insertStep } from '../steps/step-log.js';
import { endMessages } from './end-messages.js';
import { saveTurn } from './save-turn.js';

/** Turn that was committed. */
export interface CommittedTurn {
  /** The outbox row, where the door must be called. */
  outboxId: string | null;
  /** More came in meanwhile: whoever looked for the lease in that time went away again. */
  more: boolean;
}

/**
 * Commits an outcome in one transaction: transcript, turn, outbox, usage and the inbox rows' outcome, with the lease
 * given back. May be repeated: it answers what an earlier try committed then.
 * @param mayBeOvertaken a newer message of the speaker takes this turn over, rather than be the next one
 * @param usage rows of what it cost that nobody has written yet
 * @throws TurnInterrupted when the lease went to another worker meanwhile, a message of the burst was changed or
 *   stopped, or a newer one overtook it: nothing is written then
 */
export function commitTurn(
  database: Database,
  claim: Claim,
  turn: FinishedTurn,
  mayBeOvertaken: boolean,
  usage: readonly ModelUsage[] = [],
): Promise<CommittedTurn> {
  return database.write({ conversationId: claim.conversationId }, async (tx) => {
    const [isHeld, { ended, stopped, open, newer }] = await Promise.all([
      endLease(tx, claim),
      endMessages(tx, claim, turn),
    ]);
    if (!isHeld) throw new TurnInterrupted('lease-lost');
    if (ended !== claim.burst.length) {
      const before = await committedBefore(tx, turn.turnId);
      if (before) return { ...before, more: open };
      throw new TurnInterrupted(stopped ? 'stopped' : 'revised');
    }
    if (newer && mayBeOvertaken) throw new TurnInterrupted('overtaken');
    const [outboxId] = await tx.last(() =>
      Promise.all([
        saveTurn(tx, claim, turn),
        ...(turn.lastStep ? [insertStep(tx, claim, turn.turnId, turn.lastStep)] : []),
        ...(usage.length > 0 ? [insertUsage(tx, usage)] : []),
      ]),
    );
    return { outboxId, more: open };
  });
}

/**
 * Ends a message of which not even the apology can be kept, so that the next one is answered. Writes nothing but its
 * outcome.
 */
export function dropMessages(database: Database, claim: Claim, reason: string): Promise<void> {
  return database.write({ conversationId: claim.conversationId }, async (tx) => {
    if (!(await endLease(tx, claim))) return;
    await tx.$executeRaw`
      UPDATE inbox SET outcome = 'dropped', outcome_reason = ${reason}, ended_at = now()
      WHERE id = ANY(${claim.burst.map(({ id }) => id)}) AND outcome IS NULL`;
  });
}

/** Finds the turn as an earlier try committed it whose answer was lost; null when none did. */
async function committedBefore(tx: Writer, turnId: string): Promise<Pick<CommittedTurn, 'outboxId'> | null> {
  const [found] = await tx.$queryRaw<{ outboxId: string | null }[]>`
    SELECT outbox.id AS "outboxId" FROM turns LEFT JOIN outbox USING (turn_id) WHERE turn_id = ${turnId}::uuid LIMIT 1`;
  return found ?? null;
}

/** Tells whether the speaker's next message takes this turn over. */
export function isOvertaken(
  database: Database,
  { conversationId, personId, burst }: Claim,
): Promise<boolean> {
  return database.read({ conversationId }, async (reader) => {
    const [next] = await reader.$queryRaw<{ isToBeAnswered: boolean }[]>`
      SELECT origin = 'message' AND deleted_at IS NULL AND stopped_at IS NULL AS "isToBeAnswered"
      FROM inbox
      WHERE conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid AND outcome IS NULL
        AND id > ${lastOf(burst).id}
      ORDER BY id LIMIT 1`;
    return next?.isToBeAnswered === true;
  });
}
