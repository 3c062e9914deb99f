import { AppError, Audience, MoodView, RecalledMemory, TurnView } from '@kith/contracts';
import { columnOf, type Database } from '@kith/database';
import { z } from 'zod';
import { mayTell } from './may-tell.js';
import { viewQuestion } from '../tools/permission/view-question.js';

const Trace = z.object({
  recalled: z.array(RecalledMemory).default([]),
  mood: MoodView.nullable().default(null),
});

/**
 * Shows one of the person's own turns, as far as it may still be told. What the companion writes first in a channel, and the
 * memories that it recalled for it, are shown once it stands there: both hold what others said there, and whether its person
 * may still read them is found out by its delivery. @throws AppError `not_found`
 */
export async function viewTurn(database: Database, personId: string, turnId: string): Promise<TurnView> {
  const { turn, messages, asked, waiting } = await database.asPerson(personId, async (tx) => ({
    turn: await tx.turn.findUnique({ where: { id: turnId } }),
    messages: await tx.transcriptMessage.findMany({ where: { turnId }, orderBy: { id: 'asc' } }),
    asked: await tx.toolCall.findMany({
      where: { turnId, personId, status: 'waiting', expiresAt: { gt: new Date() } },
      orderBy: { id: 'asc' },
    }),
    waiting: await tx.outboxMessage.count({ where: { turnId, status: 'pending' } }),
  }));
  if (!turn) throw new AppError('not_found', `no turn ${turnId} of yours`);
  const trace = Trace.parse(turn.trace);
  const audience = Audience.parse(turn.audience);
  const left = await leftAmong(database, [audience, ...trace.recalled.map((memory) => memory.audience)]);
  const isLeft = left.has(audience);
  const reply = messages.find((line) => line.role === 'companion' && mayTell({ ...line, isLeft }, personId));
  const isInView =
    turn.origin !== 'outreach' || audience === 'direct' || (reply !== undefined && waiting === 0);
  return TurnView.parse({
    ...turn,
    turnId,
    messageIds: messages.flatMap((message) => message.externalId ?? []),
    reply: isInView ? (reply?.text ?? null) : null,
    recalled: trace.recalled.filter((memory) => isInView && !left.has(memory.audience)),
    mood: trace.mood,
    ...(asked.length > 0 && {
      questions: asked.map((call) =>
        viewQuestion({ ...call, arguments: call.arguments as Record<string, unknown> }),
      ),
    }),
    tookMs: turn.endedAt.getTime() - turn.startedAt.getTime(),
  });
}

/** Finds the audiences of places that the app was removed from: nothing said there is told elsewhere. */
async function leftAmong(database: Database, audiences: readonly Audience[]) {
  const places = [...new Set(audiences)].filter((audience) => audience !== 'direct');
  if (places.length === 0) return new Set<Audience>();
  // As the system: a place belongs to no person.
  const left = await columnOf(database.reader('system'))`
    SELECT DISTINCT audience FROM conversations WHERE audience = ANY (${places}::text[]) AND left_at IS NOT NULL`;
  return new Set(left);
}
