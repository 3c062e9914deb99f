import { z } from 'zod';
import { ErasureView } from './erasure.js';
import { MAX_MESSAGE_CHARACTERS, TurnOutcome } from './gateway.contract.js';
import {
  CoreBlock,
  DocumentFormat,
  DocumentView,
  Degraded,
  ImportRecord,
  MAX_IMPORT,
  MemoryKind,
  MemoryView,
  RecalledMemory,
} from './memory.contract.js';
import { RecurringJobView } from './jobs.contract.js';
import { LoreEntry, LoreHit } from './lore.contract.js';
import {
  AttemptView,
  IntentionView,
  OutreachChannelMode,
  OutreachOutlook,
  OutreachRestriction,
  OutreachSettings,
} from './outreach.contract.js';
import {
  AffectEventView,
  CompanionView,
  DiaryEntryView,
  MoodPoint,
  NeedView,
  PersonaJson,
  PersonaVersionView,
  QuirkView,
  RelationshipView,
} from './personality.contract.js';
import {
  Audience,
  CompanionId,
  ConversationId,
  IsoTime,
  MemoryId,
  MoodView,
  Pad,
  PersonId,
  TurnId,
  TurnOrigin,
} from './words.js';

/**
 * The public HTTP API under `/v1`: what the gateway accepts and answers, what the console and the CLI read,
 * and what the OpenAPI page is made from. Unknown fields are refused.
 */

/** RFC 9457 problem details, the one error shape. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  /** What was wrong, in a sentence for a person. */
  detail: z.string(),
  code: z.string(),
  /** The fields that were refused, each with its reason. */
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  correlationId: z.string().optional(),
});
export type Problem = z.infer<typeof Problem>;

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

export const TranscriptEntry = z.object({
  id: z.string(),
  turnId: TurnId.nullable(),
  /** The sender's own id of the message, so that a client can tell it from one it is still sending. */
  messageId: z.string().nullable().optional(),
  role: z.enum(['person', 'companion']),
  /** Who said it, for channels. */
  name: z.string(),
  text: z.string(),
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

export const CompanionList = z.object({ companions: z.array(CompanionView), defaultCompanion: CompanionId });

export const MoodResponse = z.object({
  companionId: CompanionId,
  now: MoodView,
  baseline: Pad,
  halfLifeMs: z.number(),
  series: z.array(MoodPoint),
  relationship: RelationshipView.nullable(),
});

/** A persona as it was in force once. */
export const PersonaVersion = PersonaVersionView.extend({ companionId: CompanionId, persona: PersonaJson });
export const PersonaHistory = z.object({
  companionId: CompanionId,
  versions: z.array(PersonaVersionView.extend({ inForce: z.boolean() })),
});
export const RollbackRequest = z.strictObject({ version: z.int().positive() });
export const ReplayRequest = z.strictObject({
  from: IsoTime,
  to: IsoTime,
  /** As its file would hold it; left out: each turn with the version it was felt with. */
  persona: PersonaJson.optional(),
});

export const AffectEventList = z.object({
  events: z.array(AffectEventView),
  nextCursor: z.string().nullable(),
});
export const NeedList = z.object({ companionId: CompanionId, needs: z.array(NeedView) });
export const QuirkList = z.object({ companionId: CompanionId, quirks: z.array(QuirkView) });
export const Diary = z.object({
  companionId: CompanionId,
  entries: z.array(DiaryEntryView),
  /** Give it as `before` for older days. */
  nextCursor: z.iso.date().nullable(),
});

export const MemoryList = z.object({
  memories: z.array(MemoryView),
  nextCursor: z.string().nullable(),
  total: z.number().int(),
});
export const MemorySearchQuery = z.strictObject({
  q: z.string().trim().min(1).max(2_000),
  companion: CompanionId.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(10),
  kind: MemoryKind.optional(),
  /** Look in the archive, too. */
  archive: z.stringbool().default(false),
});
export const MemorySearchResult = z.object({
  memories: z.array(RecalledMemory),
  degraded: Degraded,
  tookMs: z.number(),
});
/** Lines that were said elsewhere, to be remembered. */
export const ImportRequest = z.strictObject({
  companion: CompanionId.optional(),
  records: z.array(ImportRecord).min(1).max(MAX_IMPORT),
});

export const ForgetRequest = z.strictObject({
  companion: CompanionId.optional(),
  /** These memories, what came from these messages, was said in this time, or is found, or everything. Exactly one. */
  ids: z.array(MemoryId).min(1).max(500).optional(),
  messageIds: z.array(z.string().min(1)).min(1).max(500).optional(),
  period: z.strictObject({ from: IsoTime, to: IsoTime }).optional(),
  query: z.string().trim().min(1).max(2_000).optional(),
  all: z.literal(true).optional(),
  /** Only say what would go. */
  preview: z.boolean().default(false),
});
export const ForgetResult = z.object({
  rows: z.number().int(),
  points: z.number().int(),
  receipt: z.uuid().nullable(),
  memories: z.array(MemoryView),
});
export const CoreMemory = z.object({ blocks: z.array(CoreBlock) });
export const CoreRequest = z.strictObject({ companion: CompanionId.optional(), text: z.string().max(4_000) });

export const DocumentRequest = z.strictObject({
  companion: CompanionId.optional(),
  /** One line, without brackets: replies cite it. */
  title: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .regex(/^[^\n[\]›]+$/, 'one line without brackets'),
  format: DocumentFormat.default('markdown'),
  content: z.string().min(1),
});
/** A lorebook as its program writes it; see `lore.import`. */
export const LoreImportRequest = z.strictObject({ book: z.unknown() });
export const LoreMatchRequest = z.strictObject({ text: z.string().min(1).max(16_000) });
export const LoreList = z.object({ entries: z.array(LoreEntry) });
export const LoreMatch = z.object({ hits: z.array(LoreHit) });
export const LoreRemoved = z.object({ removed: z.string() });

export const DocumentList = z.object({ documents: z.array(DocumentView) });
export const DocumentRemoved = z.object({ chunks: z.number().int() });

/** With `private`, nothing is remembered from now on, or again. */
export const PrivacyRequest = z.strictObject({ private: z.boolean() });

export const ApiScope = z.enum(['chat', 'memories', 'import', 'admin']);
export type ApiScope = z.infer<typeof ApiScope>;

export const MeView = z.object({
  personId: PersonId,
  displayName: z.string(),
  scopes: z.array(ApiScope),
  identities: z.array(z.object({ door: z.string(), subject: z.string() })),
});
export const PersonView = z.object({
  personId: PersonId,
  displayName: z.string(),
  createdAt: IsoTime,
  identities: z.array(z.object({ door: z.string(), subject: z.string() })),
});
export const PersonList = z.object({ people: z.array(PersonView), nextCursor: z.string().nullable() });
export const ErasureList = z.object({ erasures: z.array(ErasureView), nextCursor: z.uuid().nullable() });

export const OutreachView = z.object({
  settings: OutreachSettings,
  intentions: z.array(IntentionView),
  recent: z.array(AttemptView),
  outlook: OutreachOutlook,
});
export const OutreachChange = z.strictObject({
  ...OutreachSettings.partial().shape,
  /** A channel is allowed from within it (`/companion settings`), so that nobody is written to where they are not. */
  channel: z.null('only null, to withdraw it: a channel is allowed from within it').optional(),
});
export const OutreachChannelChange = z.strictObject(OutreachChannelMode.pick({ mode: true }).shape);
export const OutreachChannelList = z.object({ channels: z.array(OutreachChannelMode) });
/** What was decided, the newest first: the answer to "why did you write?". */
export const OutreachAttempts = z.object({
  attempts: z.array(AttemptView),
  nextCursor: z.uuid().nullable(),
});
export const JobList = z.object({ jobs: z.array(RecurringJobView) });
export const OutreachRestrictionChange = z.strictObject(OutreachRestriction.partial().shape);

export const KeyRequest = z.strictObject({
  /** Shown in lists, so that a key can be told from the next. */
  name: z.string().trim().min(1).max(60),
  /** Whose key: an existing person's id, or a name for a new person. Exactly one. */
  personId: PersonId.optional(),
  person: z.string().trim().min(1).max(100).optional(),
  scopes: z.array(ApiScope).min(1).default(['chat', 'memories']),
  expiresAt: IsoTime.optional(),
});
export const KeyCreated = z.object({
  id: z.uuid(),
  /** Shown this once; only its hash is kept. */
  key: z.string(),
  personId: PersonId,
  scopes: z.array(ApiScope),
});

/** An API key as lists show it: everything but the key. */
export const KeyView = z.object({
  id: z.uuid(),
  name: z.string(),
  personId: PersonId,
  displayName: z.string(),
  scopes: z.array(ApiScope),
  createdAt: IsoTime,
  expiresAt: IsoTime.nullable(),
  revokedAt: IsoTime.nullable(),
  lastUsedAt: IsoTime.nullable(),
});
export const KeyList = z.object({ keys: z.array(KeyView), nextCursor: z.string().nullable() });

/** How one service says it is: ready, and if not, which dependency is down. */
export const ServiceHealth = z.object({
  service: z.string(),
  ready: z.boolean(),
  dependencies: z.record(
    z.string(),
    z.object({ up: z.boolean(), problem: z.string().nullable(), tookMs: z.number().nullable() }),
  ),
  /** What it does without although it goes on, and what that means for people. */
  degraded: z.array(z.object({ part: z.string(), effect: z.string(), since: IsoTime })).default([]),
});
export type ServiceHealth = z.infer<typeof ServiceHealth>;

export const SuiteHealth = z.object({
  status: z.enum(['ok', 'degraded']),
  services: z.array(ServiceHealth),
  models: z.object({ chat: z.array(z.string()), fast: z.array(z.string()), rehearsal: z.boolean() }),
});
export type SuiteHealth = z.infer<typeof SuiteHealth>;
