import { z } from 'zod';
import { IsoTime } from './bounded-time.js';
import { MAX_MESSAGE_CHARACTERS, TurnOutcome } from './gateway.contract.js';
import { Problem } from './http-api.js';
import { RecalledMemory } from './memory-view.js';
import { Audience, CompanionId, ConversationId, MoodView, PersonId, TurnId, TurnOrigin } from './words.js';

/** The public HTTP API of talk: what is said, the turns that answer it, and how replies are delivered. */

/** Names a direct conversation at the API; each person has their own namespace. */
export const ThreadName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, dashes and underscores, at most 64');

export const ChatRequest = z.strictObject({
  message: z.string().trim().min(1).max(MAX_MESSAGE_CHARACTERS),
  /** Left out: the suite's default companion. */
  companion: CompanionId.optional(),
  /** Which thread with this companion; `main` by default. */
  conversation: ThreadName.default('main'),
  /** Your id for the message: the same id again is answered with the first outcome, not answered twice. */
  messageId: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,100}$/, 'letters, digits and _ . : -, at most 100')
    .optional(),
  /** When it was said, for importing history; needs the `import` scope. */
  sentAt: IsoTime.optional(),
  /** true: answer as server-sent events (`turn`, `token`, `done`, `error`). */
  stream: z.boolean().default(false),
});

/** "Never mind": what was said in this thread and is not answered yet ends without an answer. */
export const StopRequest = ChatRequest.pick({ companion: true, conversation: true });
/** How many messages were stopped; 0 when nothing was waiting. */
export const StopResult = z.object({ stopped: z.number().int() });

/** What the companion had in mind: goes with each reply. */
export const TurnView = z.object({
  turnId: TurnId,
  conversationId: ConversationId,
  /** The caller's own ids of the messages it answers, so that a client can tell which are settled. */
  messageIds: z.array(z.string()).optional(),
  companionId: CompanionId,
  outcome: TurnOutcome,
  /** Why, when the outcome is not `answered`; also why an answer is degraded. */
  reason: z.string().nullable(),
  /** The reply's text; null when the companion stayed silent. */
  reply: z.string().nullable(),
  /** Name of the model that answered; `rehearsal` is the offline stand-in. */
  model: z.string().nullable(),
  rehearsal: z.boolean(),
  /** Parts that were out of reach: `memory`, `personality`, `dense`, `lexical`, `model`. */
  degraded: z.array(z.string()),
  recalled: z.array(RecalledMemory),
  mood: MoodView.nullable(),
  tookMs: z.number(),
});
export type TurnView = z.infer<typeof TurnView>;

/** What of a turn's end goes with every line of a transcript. */
export const TurnEnding = TurnView.pick({ outcome: true, reason: true, rehearsal: true, degraded: true });
export type TurnEnding = z.infer<typeof TurnEnding>;

/** One arrived message of a turn, or one that still waits for its turn. */
export const TracedMessage = z.object({
  /** The door's own id. */
  messageId: z.string(),
  door: z.string(),
  sentAt: IsoTime,
  receivedAt: IsoTime,
  /** Times a worker took it up and did not come back. */
  attempts: z.number().int(),
  /** Times it was edited, deleted or stopped before its outcome. */
  revisions: z.number().int(),
  /** Times a newer message took its turn over. */
  overtaken: z.number().int(),
  outcome: TurnOutcome.nullable(),
  reason: z.string().nullable(),
});

/** How a reply got to a door that must be called. */
export const Delivery = z.object({
  outboxId: z.uuid(),
  turnId: TurnId,
  personId: PersonId,
  door: z.string(),
  /** `pending`, `delivered`, `failed`, or `dropped` by an operator. */
  status: z.string(),
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

/** What happened on the way, for when someone says "it did not answer". Old turns lack some of it. */
export const TurnTrace = z.object({
  personId: PersonId,
  origin: TurnOrigin,
  audience: Audience,
  messages: z.array(TracedMessage),
  claimedAt: IsoTime.nullable(),
  /** The fencing number it was committed with. */
  leaseToken: z.string().nullable(),
  /** `proceed`, or why it ended before any model was asked. */
  gate: z.string().nullable(),
  promptTokens: z.record(z.string(), z.number()).nullable(),
  tries: z.array(z.object({ model: z.string(), kind: z.string(), tookMs: z.number() })),
  tools: z.array(z.object({ name: z.string(), ok: z.boolean(), tookMs: z.number() })),
  usage: z
    .object({ model: z.string(), promptTokens: z.number().int(), completionTokens: z.number().int() })
    .nullable(),
  timings: z.object({ composeMs: z.number().nullable(), firstTokenMs: z.number().nullable() }),
  startedAt: IsoTime,
  endedAt: IsoTime,
  deliveries: z.array(Delivery),
  /** When everything that follows it was done; `problem` names what was given up. */
  followUps: z.object({ doneAt: IsoTime.nullable(), problem: z.string().nullable() }),
});
export type TurnTrace = z.infer<typeof TurnTrace>;

/** A turn with its trace. Someone else's, for an admin key, comes without what was said. */
export const TracedTurn = TurnView.extend({ trace: TurnTrace });
export type TracedTurn = z.infer<typeof TracedTurn>;

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
  /** Accepted messages that have no outcome yet. */
  waiting: z.array(TracedMessage),
});

/** Server-sent events of a streaming chat, and the frames a WebSocket client receives. */
export const ChatEvent = z.discriminatedUnion('type', [
  /** The message is committed: from here on it will end in an outcome. */
  z.object({ type: z.literal('accepted'), conversationId: ConversationId, messageId: z.string() }),
  /** The turn has begun: what is recalled and the mood, before the first token. */
  z.object({
    type: z.literal('turn'),
    turnId: TurnId,
    /** Where, and which messages: a WebSocket client may wait for several turns at once. */
    conversationId: ConversationId.optional(),
    messageIds: z.array(z.string()).optional(),
    recalled: z.array(RecalledMemory),
    mood: MoodView.nullable(),
    degraded: z.array(z.string()),
  }),
  z.object({ type: z.literal('token'), turnId: TurnId, text: z.string() }),
  /** What was streamed does not count any more: another model starts over, or what was asked has changed. */
  z.object({ type: z.literal('restart'), turnId: TurnId }),
  z.object({ type: z.literal('done'), turn: TurnView }),
  /** `messageId` when one message was refused, rather than the connection. */
  z.object({ type: z.literal('error'), problem: Problem, messageId: z.string().optional() }),
]);
export type ChatEvent = z.infer<typeof ChatEvent>;

/** What a WebSocket client sends. The first frame is `hello` with the key, within 5 s. */
export const ClientFrame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), key: z.string().min(1).max(200) }),
  ChatRequest.omit({ stream: true, sentAt: true }).extend({ type: z.literal('message') }),
  StopRequest.extend({ type: z.literal('stop') }),
  z.strictObject({ type: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** What a WebSocket server sends beside chat events. */
export const ServerFrame = z.union([
  ChatEvent,
  z.object({ type: z.literal('ready'), personId: PersonId, displayName: z.string() }),
  z.object({ type: z.literal('pong') }),
  /** What a `stop` came to. */
  StopResult.extend({ type: z.literal('stopped') }),
  /** The mood moved, by this conversation or another. */
  z.object({ type: z.literal('mood'), companionId: CompanionId, mood: MoodView }),
]);
export type ServerFrame = z.infer<typeof ServerFrame>;

/**
 * Why a line of a conversation is told no more: its person forgot it, said it in private, deleted it or edited the words
 * it repeats, it never reached them, or it repeats what was said in a place that the companion was sent away from.
 */
export const Withheld = z.enum(['forgotten', 'private', 'deleted', 'edited', 'undelivered', 'left']);
export type Withheld = z.infer<typeof Withheld>;
export const TranscriptEntry = z.object({
  id: z.string(),
  turnId: TurnId.nullable(),
  /** The sender's own id of the message, so that a client can tell it from one it is still sending. */
  messageId: z.string().nullable().optional(),
  role: z.enum(['person', 'companion']),
  /** Who said it, for channels. */
  name: z.string(),
  text: z.string(),
  /** Why its words are told no more; null where they are. */
  withheld: Withheld.nullable().optional(),
  at: IsoTime,
  /** How its turn ended: what a client says beside the reply, or in its place. */
  ending: TurnEnding.nullable().optional(),
});

export const ConversationView = z.object({
  id: ConversationId,
  companionId: CompanionId,
  door: z.string(),
  /** The thread's name, or the channel's id. */
  name: z.string(),
  kind: z.enum(['direct', 'channel']),
  lastMessageAt: IsoTime.nullable(),
});

export const ConversationList = z.object({
  conversations: z.array(ConversationView),
  nextCursor: z.string().nullable(),
});
export const Transcript = z.object({
  conversation: ConversationView,
  /** Oldest first. */
  messages: z.array(TranscriptEntry),
  /** Give it as `before` for the page of older messages. */
  nextCursor: z.string().nullable(),
});
