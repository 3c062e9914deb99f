import type { ServerFrame, TurnView } from '@kith/contracts';
import { EMPTY_CHAT, threadWith, type ChatState, type TranscriptPage } from './chat-thread.js';
import { reduceChat, type ChatAction } from './reduce-chat.js';

const AT = '2026-05-01T10:00:00.000Z';
export const CONVERSATION = 'conversation-1';

export const wrote = (messageId: string, companionId = 'mira', at = AT): ChatAction => ({
  type: 'wrote',
  companionId,
  messageId,
  text: `text of ${messageId}`,
  at,
});
export const heard = (frame: ServerFrame): ChatAction => ({ type: 'frame', frame, at: AT });
export const sent = (messageId: string): ChatAction => ({ type: 'sent', messageId });
export const accepted = (messageId: string, conversationId = CONVERSATION): ChatAction =>
  heard({ type: 'accepted', conversationId, messageId });
export const began = (turnId: string, ids?: { conversationId: string; messageIds: string[] }): ChatAction =>
  heard({ type: 'turn', turnId, recalled: [], mood: null, degraded: [], ...ids });
export const token = (turnId: string, text: string): ChatAction => heard({ type: 'token', turnId, text });
export const ended = (turnId: string, changes: Partial<TurnView> = {}): ChatAction =>
  heard({ type: 'done', turn: turnView(turnId, changes) });
export const refused = (messageId?: string, status = 400): ChatAction =>
  heard({
    type: 'error',
    problem: { type: 'about:blank', title: 'No', status, detail: 'not so', code: 'any' },
    ...(messageId === undefined ? {} : { messageId }),
  });

export function turnView(turnId: string, changes: Partial<TurnView> = {}): TurnView {
  return {
    turnId,
    conversationId: CONVERSATION,
    companionId: 'mira',
    outcome: 'answered',
    reason: null,
    reply: 'hello you',
    model: 'rehearsal',
    rehearsal: true,
    degraded: [],
    recalled: [],
    mood: null,
    tookMs: 5,
    ...changes,
  };
}

export function page(ids: string[], nextCursor: string | null): TranscriptPage {
  return {
    conversation: {
      id: CONVERSATION,
      companionId: 'mira',
      door: 'http',
      name: 'main',
      kind: 'direct',
      lastMessageAt: AT,
    },
    messages: ids.map((id) => ({ id, turnId: `turn-${id}`, role: 'person', name: 'Sam', text: id, at: AT })),
    nextCursor,
  };
}

export const reading = (number: number, older = false) => ({ companionId: 'mira', older, number });
export const loaded = (ids: string[], nextCursor: string | null, older = false, number = 1): ChatAction => ({
  type: 'history-loaded',
  ...reading(number, older),
  page: page(ids, nextCursor),
});

export const after = (...actions: ChatAction[]): ChatState => actions.reduce(reduceChat, EMPTY_CHAT);
export const liveOf = (state: ChatState): string[] =>
  threadWith(state, 'mira').live.map((item) =>
    item.kind === 'own' ? `${item.messageId}:${item.state}` : `${item.turnId}:${item.state}:${item.text}`,
  );
