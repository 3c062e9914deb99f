import { AppError, type MoodView, type RecalledMemory, type TurnOutcome } from '@kith/contracts';
import type { Database, Prisma } from '@kith/database';
import type { Claim } from './claim-conversation.js';

export interface FinishedTurn {
  turnId: string;
  outcome: TurnOutcome;
  /** Why it was not answered, or null. */
  reason: string | null;
  reply: string | null;
  companionName: string;
  model: string | null;
  rehearsal: boolean;
  degraded: string[];
  usage: { model: string; promptTokens: number; completionTokens: number } | null;
  recalled: RecalledMemory[];
  mood: MoodView | null;
  /** Timings, prompt size by part, model tries: what an operator opens when something was odd. */
  details: Record<string, unknown>;
  startedAt: Date;
  endedAt: Date;
}

/**
 * One transaction per outcome: transcript, turn, outbox, usage and the inbox rows' outcome commit together,
 * and the lease is given back. Returns the id of the outbox row, where the door must be called.
 * @throws AppError `conflict` when the lease went to another worker meanwhile: nothing is written then
 */
export function commitTurn(database: Database, claim: Claim, turn: FinishedTurn): Promise<string | null> {
  const { conversationId, burst } = claim;
  const first = burst[0]!;
  const last = burst.at(-1)!;
  return database.inConversation(conversationId, async (tx) => {
    const held = await tx.$executeRaw`
      UPDATE conversations
      SET lease_until = NULL, last_message_at = greatest(coalesce(last_message_at, ${last.sentAt}), ${last.sentAt})
      WHERE conversation_id = ${conversationId}::uuid AND lease_token = ${claim.leaseToken}`;
    if (held !== 1) {
      throw new AppError('conflict', `the lease of conversation ${conversationId} went to another worker`);
    }
    await tx.turn.create({
      data: {
        id: turn.turnId,
        conversationId,
        personId: claim.personId,
        companionId: claim.companionId,
        door: first.door,
        audience: claim.audience,
        origin: first.origin,
        outcome: turn.outcome,
        reason: turn.reason,
        model: turn.model,
        rehearsal: turn.rehearsal,
        degraded: turn.degraded,
        trace: {
          recalled: turn.recalled,
          mood: turn.mood,
          ...turn.details,
        } as unknown as Prisma.InputJsonObject,
        startedAt: turn.startedAt,
        endedAt: turn.endedAt,
      },
    });
    await tx.transcriptMessage.createMany({ data: transcriptOf(claim, turn) });
    await tx.inboxMessage.updateMany({
      where: { id: { in: burst.map((message) => message.id) } },
      data: { turnId: turn.turnId, outcome: turn.outcome, outcomeReason: turn.reason, endedAt: turn.endedAt },
    });
    if (turn.usage) {
      await tx.usage.create({
        data: {
          turnId: turn.turnId,
          conversationId,
          personId: claim.personId,
          companionId: claim.companionId,
          ...turn.usage,
        },
      });
    }
    if (turn.reply === null || last.target === null) return null;
    const outbox = await tx.outboxMessage.create({
      data: {
        turnId: turn.turnId,
        conversationId,
        personId: claim.personId,
        door: last.door,
        target: last.target,
        text: turn.reply,
      },
    });
    return outbox.id;
  });
}

function transcriptOf(claim: Claim, turn: FinishedTurn): Prisma.TranscriptMessageCreateManyInput[] {
  const shared = { conversationId: claim.conversationId, turnId: turn.turnId, personId: claim.personId };
  const said = claim.burst
    .filter((message) => message.origin === 'message')
    .map((message) => ({
      ...shared,
      role: 'person',
      name: claim.personName,
      externalId: message.externalId,
      text: message.text,
      at: message.sentAt,
    }));
  if (turn.reply === null) return said;
  // History that is imported keeps its own time: the reply belongs right after what it answers.
  const last = claim.burst.at(-1)!;
  const at = isHistory(last) ? last.sentAt : turn.endedAt;
  return [...said, { ...shared, role: 'companion', name: turn.companionName, text: turn.reply, at }];
}

/** Sent this long before it arrived, a message is history that someone imports. */
const HISTORY_MS = 24 * 60 * 60_000;

/** Was it said long before it arrived here? */
export function isHistory(message: { sentAt: Date; receivedAt: Date }): boolean {
  return message.receivedAt.getTime() - message.sentAt.getTime() > HISTORY_MS;
}
