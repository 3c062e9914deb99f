import {
  AppError,
  Audience,
  MoodView,
  RecalledMemory,
  TurnOutcome,
  type Door,
  type Exchange,
  type ReadTurn,
  type TurnView,
  TurnOrigin,
} from '@kith/contracts';
import type { Database, TranscriptMessageModel, TurnModel } from '@kith/database';
import { z } from 'zod';
import { leftAmong } from '../forgetting/left-audiences.js';
import { mayTell } from '../forgetting/may-tell.js';
import { viewQuestion } from '../tools/permission/view-question.js';

/** Reads finished turns with what may be told of them, in the order asked for. Those that are gone are left out. */
export async function readTurns(database: Database, turnIds: readonly string[]): Promise<ReadTurn[]> {
  const ids = [...turnIds];
  // Jobs carry turns' ids alone, so whose they are is not known before they are read.
  const [turns, messages] = await database.read('system', (reader) =>
    Promise.all([
      reader.$queryRaw<TurnRow[]>`
        SELECT turn_id AS "turnId", conversation_id AS "conversationId", companion_id AS "companionId",
          turns.person_id AS "personId", coalesce(display_name, 'someone') AS "displayName", door, audience, outcome,
          reason, origin, started_at AS "startedAt", ended_at AS "endedAt"
        FROM turns LEFT JOIN people USING (person_id) WHERE turn_id = ANY (${ids}::uuid[])`,
      reader.$queryRaw<LineRow[]>`
        SELECT turn_id AS "turnId", person_id AS "personId", role, external_id AS "externalId", text, at, revision,
          withheld
        FROM transcript WHERE turn_id = ANY (${ids}::uuid[]) ORDER BY id`,
    ]),
  );
  const said = Map.groupBy(
    messages.filter((message) => mayTell(message, null)),
    ({ turnId }) => turnId,
  );
  const byId = new Map(turns.map((turn) => [turn.turnId, turn]));
  return turnIds.flatMap((turnId) => {
    const turn = byId.get(turnId);
    return turn ? readable(turn, said.get(turnId) ?? []) : [];
  });
}

type TurnRow = Pick<
  TurnModel,
  | 'conversationId'
  | 'companionId'
  | 'personId'
  | 'door'
  | 'audience'
  | 'outcome'
  | 'reason'
  | 'origin'
  | 'startedAt'
  | 'endedAt'
> & { turnId: string; displayName: string };

type LineRow = Pick<
  TranscriptMessageModel,
  'turnId' | 'personId' | 'role' | 'externalId' | 'text' | 'at' | 'revision' | 'withheld'
>;

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
      ...{ turnId, recalled },
      before:
        text === null || at === null || !mayTell({ personId, text, withheld }, null)
          ? null
          : { text, at: at.toISOString() },
      reply:
        reply === null || !mayTell({ personId, text: reply, withheld: replyWithheld }, null) ? null : reply,
    }));
  });
}

/** Tells whether any line of these turns has changed, or was withheld, since it was written. */
export async function isRetold(database: Database, turnIds: readonly string[]): Promise<boolean> {
  const rows = await database.read(
    'system',
    (reader) => reader.$queryRaw<unknown[]>`
      SELECT 1 FROM transcript
      WHERE turn_id = ANY (${[...turnIds]}::uuid[]) AND (withheld IS NOT NULL OR revision > 0) LIMIT 1`,
  );
  return rows.length > 0;
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

function readable(turn: TurnRow, messages: LineRow[]): ReadTurn {
  return {
    turnId: turn.turnId,
    conversationId: turn.conversationId,
    companionId: turn.companionId,
    personId: turn.personId,
    displayName: turn.displayName,
    door: turn.door as Door,
    audience: turn.audience,
    outcome: TurnOutcome.parse(turn.outcome),
    reason: turn.reason,
    origin: TurnOrigin.parse(turn.origin),
    startedAt: turn.startedAt.toISOString(),
    endedAt: turn.endedAt.toISOString(),
    messages: messages.map((message) => ({
      role: message.role === 'companion' ? 'companion' : 'person',
      personId: message.role === 'companion' ? null : message.personId,
      externalId: message.externalId,
      text: message.text,
      at: message.at.toISOString(),
      revision: message.revision,
    })),
  };
}

const Trace = z.object({
  recalled: z.array(RecalledMemory).default([]),
  mood: MoodView.nullable().default(null),
});

/** Shows one of the person's own turns, as far as it may still be told. @throws AppError `not_found` */
export async function viewTurn(database: Database, personId: string, turnId: string): Promise<TurnView> {
  const { turn, messages, asked } = await database.asPerson(personId, async (tx) => ({
    turn: await tx.turn.findUnique({ where: { id: turnId } }),
    messages: await tx.transcriptMessage.findMany({ where: { turnId }, orderBy: { id: 'asc' } }),
    asked: await tx.toolCall.findMany({
      where: { turnId, personId, status: 'waiting', expiresAt: { gt: new Date() } },
      orderBy: { askedAt: 'asc' },
    }),
  }));
  if (!turn) throw new AppError('not_found', `no turn ${turnId} of yours`);
  const trace = Trace.parse(turn.trace);
  const audience = Audience.parse(turn.audience);
  const left = await leftAmong(database, [audience, ...trace.recalled.map((memory) => memory.audience)]);
  const isLeft = left.has(audience);
  return {
    turnId,
    conversationId: turn.conversationId,
    messageIds: messages.flatMap((message) => message.externalId ?? []),
    companionId: turn.companionId,
    outcome: TurnOutcome.parse(turn.outcome),
    reason: turn.reason,
    reply:
      messages.find((line) => line.role === 'companion' && mayTell({ ...line, isLeft }, personId))?.text ??
      null,
    model: turn.model,
    rehearsal: turn.rehearsal,
    degraded: turn.degraded,
    recalled: trace.recalled.filter((memory) => !left.has(memory.audience)),
    mood: trace.mood,
    ...(asked.length > 0 && {
      questions: asked.map((call) =>
        viewQuestion({ ...call, arguments: call.arguments as Record<string, unknown> }),
      ),
    }),
    tookMs: turn.endedAt.getTime() - turn.startedAt.getTime(),
  };
}
