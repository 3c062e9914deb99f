import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { MAX_MESSAGE_CHARACTERS } from '../text/message-text.js';
import { PicturesData } from '../values/sent-picture.js';
import { RecalledMemory } from '../views/recalled-memory.js';
import { CompanionId, ConversationId, type Door, MoodView, PersonId, TurnId } from '../values/words.js';
import { Problem } from './problem.js';
import { post, type Routes } from './route.js';
import { TurnView } from './turns.routes.js';

/** Names a direct conversation at the API; each person has their own namespace. */
export const ThreadName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'letters, digits, dashes and underscores, at most 64');

export const ChatRequest = z.strictObject({
  message: z.string().trim().min(1).max(MAX_MESSAGE_CHARACTERS),
  companion: CompanionId.optional().describe('left out: the suite’s default companion'),
  conversation: ThreadName.default('main').describe('thread with this companion; `main` by default'),
  messageId: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,100}$/, 'letters, digits and _ . : -, at most 100')
    .optional()
    .describe(
      'your id for the message: the same id again is answered with the first outcome, not answered twice',
    ),
  pictures: PicturesData.optional().describe(
    'pictures sent with it, for a model that sees; kept until there is an answer, and no longer',
  ),
  sentAt: IsoTime.optional().describe(
    'time at which it was said, for importing history; needs the `import` scope',
  ),
  stream: z
    .boolean()
    .default(false)
    .describe('true: answer as server-sent events (`turn`, `token`, `done`, `error`)'),
});

/** "Never mind": what was said in this thread and is not answered yet ends without an answer. */
export const StopRequest = ChatRequest.pick({ companion: true, conversation: true });
/** Count of messages that were stopped; 0 when nothing was waiting. */
export const StopResult = z.object({ stopped: z.number().int() });

/** Server-sent events of a streaming chat, and the frames a WebSocket client receives. */
export const ChatEvent = z.discriminatedUnion('type', [
  /** The message is committed: from here on it will end in an outcome. */
  z.object({ type: z.literal('accepted'), conversationId: ConversationId, messageId: z.string() }),
  /** The turn has begun: what is recalled and the mood, before the first token. */
  z.object({
    type: z.literal('turn'),
    turnId: TurnId,
    /** Place and messages of the turn: a WebSocket client may wait for several turns at once. */
    conversationId: ConversationId.optional(),
    messageIds: z.array(z.string()).optional(),
    recalled: z.array(RecalledMemory),
    mood: MoodView.nullable(),
    degraded: z.array(z.string()),
  }),
  z.object({ type: z.literal('token'), turnId: TurnId, text: z.string() }),
  /** Restart: drop the tokens so far. Another model or try starts over, the question changed, or they were thoughts. */
  z.object({ type: z.literal('restart'), turnId: TurnId }),
  z.object({ type: z.literal('done'), turn: TurnView }),
  /** `messageId` when one message was refused, rather than the connection or a stop. */
  z.object({ type: z.literal('error'), problem: Problem, messageId: z.string().optional() }),
]);
export type ChatEvent = z.infer<typeof ChatEvent>;

/** The broadcast channel of a conversation's events. Discord's have a prefix of their own: its bot hears no others. */
export function chatEventsChannel(door: Door, conversationId: string): string {
  return `conversation.${door === 'discord' ? 'discord.' : ''}${conversationId}`;
}

/**
 * Frame that a WebSocket client sends. The first is `hello` with the key, once and within 5 s; any other one before it,
 * but `ping`, ends the socket.
 */
export const ClientFrame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), key: z.string().min(1).max(200) }),
  ChatRequest.omit({ stream: true, sentAt: true, pictures: true }).extend({ type: z.literal('message') }),
  StopRequest.extend({ type: z.literal('stop') }),
  z.strictObject({ type: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** Frame that a WebSocket server sends: a chat event, or one of these. */
export const ServerFrame = z.union([
  ChatEvent,
  z.object({ type: z.literal('ready'), personId: PersonId, displayName: z.string() }),
  z.object({ type: z.literal('pong') }),
  StopResult.extend({ type: z.literal('stopped') }),
  /** The mood moved, by this conversation or another. */
  z.object({ type: z.literal('mood'), companionId: CompanionId, mood: MoodView }),
  /** Lines of the person's talk are gone, edited or back, or may be: read the lines shown again. */
  z.object({
    type: z.literal('talk-changed'),
    /** True after a forget, an edit or an undo, false after a switch of private talk; absent where frames were lost. */
    forgets: z.boolean().optional(),
  }),
  /** A turn ended that answers what the person said over HTTP or a WebSocket: clients that took no part read it. */
  TurnView.pick({ turnId: true, conversationId: true, companionId: true, messageIds: true }).extend({
    type: z.literal('talked'),
  }),
]);
export type ServerFrame = z.infer<typeof ServerFrame>;

/** The WebSocket: the same talk over one connection, in JSON frames. The key comes in the first of them. */
export const chatSocket = {
  path: '/v1/ws',
  summary: 'Talk over a WebSocket: send `hello` with a key of the scope `chat`, then `message` frames',
  client: ClientFrame,
  /** Schema of a frame that the gateway sends. */
  server: ServerFrame,
} as const;

export const chatRoutes = {
  say: post('/v1/chat', 'chat', {
    summary: 'Say something; the reply as JSON, or as server-sent events with `stream: true`',
    body: ChatRequest,
    answer: TurnView,
    events: ChatEvent,
    errors: ['conflict'],
  }),
  stop: post('/v1/chat/stop', 'chat', {
    summary: 'Stop: what you said in this thread and is not answered yet ends without an answer',
    body: StopRequest,
    answer: StopResult,
  }),
} satisfies Routes;
