import {
  AppError,
  EpochFindings,
  HeartbeatRun,
  HookRunView,
  type ParsedInput,
  type RecalledMemory,
  timesAsText,
  TracedMessage,
  type TracedTurn,
  type TurnList,
  TurnOrigin,
  type turnRoutes,
  TurnSummary,
  type TurnView,
} from '@kith/contracts';
import type { Database, InboxMessageModel, Tx, UsageModel } from '@kith/database';
import { z } from 'zod';
import type { Caller } from '../people/caller.js';
import { viewDelivery } from '../delivery/view-delivery.js';
import { viewTurn } from './view-turn.js';

/** Viewer of turns: a person sees their own, an operator everybody's without what was said. */
export type Viewer = { personId: string; isOperator: boolean };

export function viewerOf({ personId, scopes }: Caller): Viewer {
  return { personId, isOperator: scopes.includes('admin') };
}

/** Details that a turn stores (see `compose-answer.ts`). Turns of earlier versions lack some of them. */
const Details = z.object({
  claimedAt: z.string().nullable().default(null),
  leaseToken: z.string().nullable().default(null),
  gate: z.string().nullable().default(null),
  promptTokens: z.record(z.string(), z.number()).nullable().default(null),
  compaction: EpochFindings.nullable().default(null),
  tries: z
    .array(z.object({ model: z.string(), kind: z.string(), tookMs: z.number(), cost: z.number().optional() }))
    .default([]),
  tools: z.array(z.object({ name: z.string(), ok: z.boolean(), tookMs: z.number() })).default([]),
  bound: z.string().nullable().default(null),
  hooks: z.array(HookRunView).default([]),
  heartbeat: HeartbeatRun.nullable().default(null),
  timings: z
    .object({
      composeMs: z.number().nullable().default(null),
      firstTokenMs: z.number().nullable().default(null),
    })
    .default({ composeMs: null, firstTokenMs: null }),
});

/**
 * Shows a turn with all that happened on its way.
 * @throws AppError `not_found` when the viewer may see no such turn
 */
export async function traceTurn(database: Database, viewer: Viewer, turnId: string): Promise<TracedTurn> {
  const { turn, inbox, outbox, usage } = await asViewer(database, viewer, async (tx) => {
    const turn = await tx.turn.findUnique({ where: { id: turnId } });
    if (!turn) throw new AppError('not_found', `no turn ${turnId}${viewer.isOperator ? '' : ' of yours'}`);
    // Only a person's own rows are found without reading everybody's.
    const { personId } = turn;
    const inbox = await tx.inboxMessage.findMany({ where: { turnId, personId }, orderBy: { id: 'asc' } });
    const outbox = await tx.outboxMessage.findMany({
      where: { turnId },
      orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    });
    const usage = await tx.usage.findMany({
      where: { turnId, personId },
      orderBy: [{ at: 'asc' }, { id: 'asc' }],
    });
    return { turn, inbox, outbox, usage };
  });
  const details = Details.parse(turn.trace);
  const view = await viewTurn(database, turn.personId, turnId);
  const isTheirs = turn.personId === viewer.personId;
  return {
    ...(isTheirs ? view : turnWithoutWords(view)),
    trace: {
      personId: turn.personId,
      origin: TurnOrigin.parse(turn.origin),
      audience: turn.audience,
      messages: inbox.map(viewMessage),
      ...details,
      // A model may make up the name of a tool: others see only the calls that succeeded.
      tools: isTheirs ? details.tools : details.tools.filter(({ ok }) => ok),
      usage: totalOf(usage),
      startedAt: turn.startedAt.toISOString(),
      endedAt: turn.endedAt.toISOString(),
      deliveries: outbox.map(viewDelivery),
      followUps: { doneAt: turn.followedUpAt?.toISOString() ?? null, problem: turn.followUpProblem },
    },
  };
}

/** Adds up what a turn cost, with the model that spoke last. The cost is null where a price is not known. */
function totalOf(rows: readonly UsageModel[]): TracedTurn['trace']['usage'] {
  const last = rows.at(-1);
  if (!last) return null;
  const sum = (figure: (row: UsageModel) => number) => rows.reduce((total, row) => total + figure(row), 0);
  return {
    model: last.model,
    calls: sum(({ calls }) => calls),
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    cost: rows.some(({ cost }) => cost === null) ? null : sum(({ cost }) => cost ?? 0),
  };
}

/** Shows an operator somebody else's turn. Each field is named, so that one added later is not shown by default. */
export function turnWithoutWords(view: TurnView): TurnView {
  const { turnId, conversationId, messageIds, companionId, outcome, reason, model, rehearsal } = view;
  const { degraded, mood, tookMs } = view;
  return {
    turnId,
    conversationId,
    companionId,
    outcome,
    reason,
    model,
    rehearsal,
    degraded,
    mood,
    tookMs,
    ...(messageIds ? { messageIds } : {}),
    reply: null,
    recalled: view.recalled.map(memoryWithoutWords),
  };
}

/** Shows of a memory its id, its kind and why it came to mind; nothing of what it says or who said it. */
function memoryWithoutWords(memory: RecalledMemory): RecalledMemory {
  const { id, kind, audience, writer, importance, saidAt, createdAt, lastRecalledAt, timesRecalled } = memory;
  const { shelf, pinned, why } = memory;
  return {
    id,
    kind,
    audience,
    writer,
    importance,
    saidAt,
    createdAt,
    lastRecalledAt,
    timesRecalled,
    shelf,
    pinned,
    why,
    text: '',
    sources: [],
    speaker: null,
    conversation: null,
    sentences: [],
    fact: null,
    shelfReason: null,
  };
}

/** Lists the latest turns that fit, and the messages that still wait for theirs. */
export function listTurns(
  database: Database,
  viewer: Viewer,
  { outcome, message, person, limit }: ParsedInput<typeof turnRoutes.list>['query'],
): Promise<z.output<typeof TurnList>> {
  const personId = viewer.isOperator ? person : viewer.personId;
  return asViewer(database, viewer, async (tx) => {
    const ofPerson = personId === undefined ? {} : { personId };
    const inbox =
      message === undefined
        ? []
        : await tx.inboxMessage.findMany({ where: { ...ofPerson, externalId: message }, take: limit });
    const turns = await tx.turn.findMany({
      where: {
        ...ofPerson,
        ...(outcome === undefined ? {} : { outcome }),
        ...(message === undefined ? {} : { id: { in: inbox.flatMap(({ turnId }) => turnId ?? []) } }),
      },
      orderBy: [{ endedAt: 'desc' }, { id: 'desc' }],
      take: limit,
    });
    const waiting =
      outcome === undefined
        ? await tx.inboxMessage.findMany({
            where: { ...ofPerson, outcome: null, ...(message === undefined ? {} : { externalId: message }) },
            orderBy: { id: 'asc' },
            take: limit,
          })
        : [];
    return {
      turns: turns.map((turn) => {
        const tookMs = turn.endedAt.getTime() - turn.startedAt.getTime();
        return TurnSummary.parse({ ...timesAsText(turn), turnId: turn.id, tookMs });
      }),
      waiting: waiting.map(viewMessage),
    };
  });
}

function asViewer<T>(database: Database, viewer: Viewer, work: (tx: Tx) => Promise<T>): Promise<T> {
  return viewer.isOperator ? database.asSystem(work) : database.asPerson(viewer.personId, work);
}

function viewMessage(row: InboxMessageModel): z.output<typeof TracedMessage> {
  const { externalId: messageId, revision: revisions, outcomeReason: reason } = row;
  return TracedMessage.parse({ ...timesAsText(row), messageId, revisions, reason });
}
