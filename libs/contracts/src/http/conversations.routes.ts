import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { CompanionId, ConversationId, TurnId } from '../values/words.js';
import { EpochView } from './epoch-view.js';
import { addressNumber, PageLimit, RowCursor, TimePage } from './page.js';
import { get, post, type Routes } from './route.js';
import { TurnEnding } from './turns.routes.js';

/**
 * Reason why a line is withheld: its person forgot it, said it in private or deleted it; it repeats words that were
 * edited, or that were said in a place which the companion had to leave; or it never reached its person.
 */
export const Withheld = z.enum(['forgotten', 'private', 'deleted', 'edited', 'undelivered', 'left']);
export type Withheld = z.infer<typeof Withheld>;

export const TranscriptEntry = z.object({
  id: z.string(),
  turnId: TurnId.nullable(),
  /** The sender's own id of the message, so that a client can tell it from one it is still sending. */
  messageId: z.string().nullable().optional(),
  role: z.enum(['person', 'companion']),
  name: z.string().describe('name of who said it, for channels'),
  text: z.string(),
  /** Reason why its words are withheld; null where they are not. */
  withheld: Withheld.nullable().optional(),
  at: IsoTime,
  /** End of its turn: what a client says beside the reply, or in its place. */
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
  messages: z.array(TranscriptEntry).describe('oldest first'),
  nextCursor: z.string().nullable().describe('give it as `before` for the page of older messages'),
});

export const conversationRoutes = {
  list: get('/v1/conversations', 'chat', {
    summary: 'Your direct conversations, the latest first',
    query: TimePage,
    answer: ConversationList,
  }),
  messages: get('/v1/conversations/{id}/messages', 'chat', {
    summary: 'A conversation’s messages, oldest first',
    params: z.strictObject({ id: ConversationId }),
    query: z.strictObject({
      limit: PageLimit,
      before: RowCursor.optional().describe('`nextCursor` of the page before'),
    }),
    answer: Transcript,
  }),
  epochs: get('/v1/conversations/{id}/epochs', 'chat', {
    summary: 'The stretches in which prompts tell a conversation; somebody else’s without what was said',
    params: z.strictObject({ id: ConversationId }),
    answer: z.object({ epochs: z.array(EpochView) }),
    showsOperatorsMore: true,
  }),
  restoreEpoch: post('/v1/conversations/{id}/epochs/{number}/restore', 'admin', {
    summary: 'Goes back to an earlier epoch: its snapshot and all said since are what the next prompt tells',
    params: z.strictObject({ id: ConversationId, number: addressNumber(0, 1_000_000) }),
    answer: z.object({ number: z.number().int() }),
  }),
} satisfies Routes;
