import {
  AppError,
  MoodView,
  RecalledMemory,
  TurnOutcome,
  gatewayContract,
  type Door,
  type ResponseInput,
  type TurnView,
} from '@kith/contracts';
import type { Database } from '@kith/database';
import { z } from 'zod';

/** A finished turn with what was said, for the jobs that follow it. @throws AppError `not_found` */
export function readTurn(
  database: Database,
  turnId: string,
): Promise<ResponseInput<typeof gatewayContract.readTurn>> {
  // Jobs carry a turn's id alone, so whose it is, is not known before it is read.
  return database.asSystem(async (tx) => {
    const turn = await tx.turn.findUnique({ where: { id: turnId } });
    if (!turn) throw new AppError('not_found', `no turn ${turnId}`);
    const messages = await tx.transcriptMessage.findMany({ where: { turnId }, orderBy: { id: 'asc' } });
    const person = await tx.person.findUnique({ where: { id: turn.personId } });
    return {
      turnId,
      conversationId: turn.conversationId,
      companionId: turn.companionId,
      personId: turn.personId,
      displayName: person?.displayName ?? 'someone',
      door: turn.door as Door,
      audience: turn.audience,
      outcome: TurnOutcome.parse(turn.outcome),
      origin: turn.origin === 'outreach' ? 'outreach' : 'message',
      startedAt: turn.startedAt.toISOString(),
      endedAt: turn.endedAt.toISOString(),
      messages: messages.map((message) => ({
        role: message.role === 'companion' ? 'companion' : 'person',
        personId: message.role === 'companion' ? null : message.personId,
        externalId: message.externalId,
        text: message.text,
        at: message.at.toISOString(),
      })),
    };
  });
}

const Trace = z.object({
  recalled: z.array(RecalledMemory).default([]),
  mood: MoodView.nullable().default(null),
});

/** One of the person's own turns, as its door showed it. @throws AppError `not_found` */
export function viewTurn(database: Database, personId: string, turnId: string): Promise<TurnView> {
  return database.asPerson(personId, async (tx) => {
    const turn = await tx.turn.findUnique({ where: { id: turnId } });
    if (!turn) throw new AppError('not_found', `no turn ${turnId} of yours`);
    const messages = await tx.transcriptMessage.findMany({ where: { turnId }, orderBy: { id: 'asc' } });
    const trace = Trace.parse(turn.trace);
    return {
      turnId,
      conversationId: turn.conversationId,
      messageIds: messages.flatMap((message) => message.externalId ?? []),
      companionId: turn.companionId,
      outcome: TurnOutcome.parse(turn.outcome),
      reason: turn.reason,
      reply: messages.find((message) => message.role === 'companion')?.text ?? null,
      model: turn.model,
      rehearsal: turn.rehearsal,
      degraded: turn.degraded,
      recalled: trace.recalled,
      mood: trace.mood,
      tookMs: turn.endedAt.getTime() - turn.startedAt.getTime(),
    };
  });
}
