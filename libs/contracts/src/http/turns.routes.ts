import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { TurnOutcome } from '../values/read-turn.js';
import { RecalledMemory } from '../views/recalled-memory.js';
import { ToolQuestion } from '../views/tool-views.js';
import {
  Audience,
  CompanionId,
  ConversationId,
  MoodView,
  PersonId,
  TurnId,
  TurnOrigin,
  Uuid,
} from '../values/words.js';
import { EpochFindings } from './epoch-view.js';
import { Page, PageLimit } from './page.js';
import { get, post, type Routes } from './route.js';

/** Turn as its speaker sees it: the reply, and what the companion had in mind. */
export const TurnView = z.object({
  turnId: TurnId,
  conversationId: ConversationId,
  /** The caller's own ids of the messages it answers, so that a client can tell which are settled. */
  messageIds: z.array(z.string()).optional(),
  companionId: CompanionId,
  outcome: TurnOutcome,
  reason: z.string().nullable().describe('reason why the outcome is not `answered`: its name, or words'),
  /** The reply's text; null when the companion stayed silent, or while the caller may not be told it. */
  reply: z.string().nullable(),
  /** Name of the model that answered; `rehearsal` is the offline stand-in. */
  model: z.string().nullable(),
  rehearsal: z.boolean(),
  /** Parts that were out of reach: `memory`, `personality`, `dense`, `lexical`, `model`. */
  degraded: z.array(z.string()),
  recalled: z.array(RecalledMemory),
  mood: MoodView.nullable(),
  /** Calls of tools that wait for the person's answer. */
  questions: z.array(ToolQuestion).optional(),
  tookMs: z.number(),
});
export type TurnView = z.infer<typeof TurnView>;

/** End of a turn, which goes with every line of a transcript. */
export const TurnEnding = TurnView.pick({ outcome: true, reason: true, rehearsal: true, degraded: true });
export type TurnEnding = z.infer<typeof TurnEnding>;

/** One arrived message of a turn, or one that still waits for its turn. */
export const TracedMessage = z.object({
  /** The door's own id. */
  messageId: z.string(),
  door: z.string(),
  sentAt: IsoTime,
  receivedAt: IsoTime,
  attempts: z.number().int().describe('times a worker took it up and did not come back'),
  revisions: z.number().int().describe('times it was edited, deleted or stopped before its outcome'),
  overtaken: z.number().int().describe('times a newer message took its turn over'),
  outcome: TurnOutcome.nullable(),
  reason: z.string().nullable(),
});

/** Delivery of a reply to a door that must be called. */
export const Delivery = z.object({
  outboxId: Uuid,
  turnId: TurnId,
  personId: PersonId,
  door: z.string(),
  status: z.string().describe('`pending`, `delivered`, `failed`, or `dropped` by an operator'),
  attempts: z.number().int(),
  lastError: z.string().nullable(),
  /** The door's ids of what was written, a chunk each. */
  platformIds: z.array(z.string()),
  createdAt: IsoTime,
  firstTriedAt: IsoTime.nullable(),
  settledAt: IsoTime.nullable(),
});
export type Delivery = z.infer<typeof Delivery>;
export const DeliveryList = z.object({ deliveries: z.array(Delivery), nextCursor: z.string().nullable() });
export const DropRequest = z.strictObject({ reason: z.string().trim().min(1).max(200) });

/** State of a companion's mind about a person, without words. */
export const MindState = z.object({
  tasks: z.array(z.object({ number: z.int(), state: z.string(), updatedAt: IsoTime })),
  core: z.array(z.object({ label: z.string(), characters: z.int(), updatedAt: IsoTime })),
  /** Memories of them, and pairs of those that do not go together; null where that was not counted. */
  memories: z.int().nullable().default(null),
  unsettled: z.int().nullable().default(null),
});
export type MindState = z.infer<typeof MindState>;
/** Run of a heartbeat: what it planned by rules, and the mind before and after it. */
export const HeartbeatRun = z.object({
  /** Number of reasons to write that it kept; null where the scheduler did not answer. */
  reminders: z.int().nullable(),
  /** Questions about what does not go together that became tasks, and those that were settled since. */
  questions: z.int().default(0),
  settled: z.int().default(0),
  before: MindState,
  after: MindState,
});

/** Run of an operator's hook within a turn. */
export const HookRunView = z.object({
  hook: z.string(),
  /** Point at which it ran: `receive`, `gate`, `compose`, `beforeInvoke`, `afterInvoke`, `act`, `reply`, `commit`. */
  point: z.string(),
  ended: z.string().describe('`ok`, `refused`, or `failed`'),
  tookMs: z.number(),
});

/** Trace of a turn's way, for when someone says "it did not answer". Old turns lack some of it. */
export const TurnTrace = z.object({
  personId: PersonId,
  origin: TurnOrigin,
  audience: Audience,
  messages: z.array(TracedMessage),
  claimedAt: IsoTime.nullable(),
  leaseToken: z.string().nullable().describe('the fencing number it was committed with'),
  gate: z.string().nullable().describe('`proceed`, or why it ended before any model was asked'),
  promptTokens: z.record(z.string(), z.number()).nullable(),
  /** Check of the snapshot that this turn made; null where it made none. */
  compaction: EpochFindings.nullable(),
  tries: z.array(
    /** `cost` in US dollars; absent where the model's price is not known. */
    z.object({ model: z.string(), kind: z.string(), tookMs: z.number(), cost: z.number().optional() }),
  ),
  tools: z.array(z.object({ name: z.string(), ok: z.boolean(), tookMs: z.number() })),
  /** All of the turn's calls of models, of broken ones too. `cost` in US dollars; null where a price is not known. */
  usage: z
    .object({
      model: z.string(),
      calls: z.int(),
      promptTokens: z.number().int(),
      completionTokens: z.number().int(),
      cost: z.number().nullable(),
    })
    .nullable(),
  /** Bound at which it was to end: `cost`, `context`, `steps`, `tokens`, `time`, `repeated`, `circles`; null: none. */
  bound: z.string().nullable(),
  /** The operator's hooks that ran, in their order. */
  hooks: z.array(HookRunView),
  heartbeat: HeartbeatRun.nullable().describe('report of a heartbeat: what it found and left'),
  timings: z.object({ composeMs: z.number().nullable(), firstTokenMs: z.number().nullable() }),
  startedAt: IsoTime,
  endedAt: IsoTime,
  deliveries: z.array(Delivery),
  /** Time at which all its follow-ups were done; `problem` names one that was given up. */
  followUps: z.object({ doneAt: IsoTime.nullable(), problem: z.string().nullable() }),
});

/** A turn with its trace. Someone else's, for an admin key, comes without what was said. */
export const TracedTurn = TurnView.extend({ trace: TurnTrace });
export type TracedTurn = z.infer<typeof TracedTurn>;

/** Step of a turn, as an operator with the scope `thoughts` sees it. */
export const TurnStepView = z.object({
  number: z.int(),
  at: IsoTime,
  model: z.string(),
  /** False once its words are gone: forgotten, past their time, or encrypted with another key. */
  hasWords: z.boolean(),
  thought: z.string(),
  text: z.string().describe('words it wrote beside its calls'),
  calls: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['planned', 'ended']),
      arguments: z.record(z.string(), z.unknown()),
      result: z.string().nullable(),
    }),
  ),
});
export const TurnThoughts = z.object({ steps: z.array(TurnStepView) });

export const TurnSummary = z.object({
  turnId: TurnId,
  personId: PersonId,
  companionId: CompanionId,
  door: z.string(),
  outcome: TurnOutcome,
  reason: z.string().nullable(),
  degraded: z.array(z.string()),
  startedAt: IsoTime,
  tookMs: z.number(),
});
export const TurnList = z.object({
  turns: z.array(TurnSummary),
  waiting: z.array(TracedMessage).describe('accepted messages that have no outcome yet'),
});

export const turnRoutes = {
  list: get('/v1/turns', 'chat', {
    summary: 'The latest turns, and the messages that still wait for theirs; of everybody with an admin key',
    query: z.strictObject({
      outcome: TurnOutcome.optional().describe('answered, apologised, silent or dropped'),
      message: z.string().min(1).max(128).optional().describe('the door’s id of a message'),
      person: PersonId.optional().describe('whose, for an admin key'),
      limit: PageLimit,
    }),
    answer: TurnList,
    errors: ['not_found'],
    showsOperatorsMore: true,
  }),
  show: get('/v1/turns/{id}', 'chat', {
    summary: 'A turn and all that happened on its way; someone else’s without what was said',
    params: z.strictObject({ id: TurnId }),
    answer: TracedTurn,
    showsOperatorsMore: true,
  }),
  thoughts: get('/v1/turns/{id}/thoughts', 'thoughts', {
    summary: 'What the companion thought at each step of a turn, and what its tools told it',
    params: z.strictObject({ id: TurnId }),
    answer: TurnThoughts,
  }),
} satisfies Routes;

const OneDelivery = z.strictObject({ id: Uuid });

export const outboxRoutes = {
  list: get('/v1/outbox', 'admin', {
    summary: 'Replies that are not delivered, or those of a status',
    query: Page.extend({
      status: z
        .enum(['pending', 'delivered', 'failed', 'dropped'])
        .optional()
        .describe('pending, delivered, failed or dropped'),
    }),
    answer: DeliveryList,
  }),
  show: get('/v1/outbox/{id}', 'admin', {
    summary: 'One reply on its way: tries, reason, chunks, times',
    params: OneDelivery,
    answer: Delivery,
  }),
  retry: post('/v1/outbox/{id}/retry', 'admin', {
    summary: 'Send a reply again that did not arrive',
    params: OneDelivery,
    answer: Delivery,
    errors: ['conflict'],
  }),
  drop: post('/v1/outbox/{id}/drop', 'admin', {
    summary: 'Give a reply up, with the reason',
    params: OneDelivery,
    body: DropRequest,
    answer: Delivery,
    errors: ['conflict'],
  }),
} satisfies Routes;
