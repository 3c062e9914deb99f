import type { ConversationList, ServerFrame, Transcript, TurnView } from '@kith/contracts';
import type { z } from 'zod';

export type TranscriptPage = z.infer<typeof Transcript>;
export type TranscriptEntry = TranscriptPage['messages'][number];
export type Conversation = z.infer<typeof ConversationList>['conversations'][number];

/** What the person wrote in this tab. */
export interface OwnMessage {
  kind: 'own';
  /** Sent again under this id after a lost connection: the gateway answers an id once. */
  messageId: string;
  text: string;
  at: string;
  /** `sending` until the gateway has committed it, then `accepted` until its turn ends. */
  state: 'sending' | 'accepted' | 'answered' | 'refused';
  turnId: string | null;
  /** Why it was refused. */
  problem: string | null;
}

/** What the companion is writing, or wrote, while this tab was open. */
export interface Reply {
  kind: 'reply';
  turnId: string;
  text: string;
  at: string;
  state: 'thinking' | 'writing' | 'done';
  /** Another model has started over. */
  restarted: boolean;
  recalled: TurnView['recalled'];
  mood: TurnView['mood'];
}

/** The conversation with one companion. */
export interface Thread {
  conversationId: string | null;
  history: 'unloaded' | 'loading' | 'loaded' | 'failed';
  /** Oldest first, as the gateway keeps it. */
  entries: readonly TranscriptEntry[];
  /** For the page of older messages; null when there are none. */
  olderCursor: string | null;
  loadingOlder: boolean;
  /** What happened since the page was opened, in order. */
  live: readonly (OwnMessage | Reply)[];
}

/** Everything the chat shows. Threads are by companion id, ended turns by turn id. */
export interface ChatState {
  threads: Readonly<Record<string, Thread>>;
  turns: Readonly<Record<string, TurnView>>;
}

export type ChatAction =
  | { type: 'frame'; frame: ServerFrame; at: string }
  | { type: 'wrote'; companionId: string; messageId: string; text: string; at: string }
  | { type: 'retried'; messageId: string }
  | { type: 'disconnected' }
  | { type: 'history-started'; companionId: string; older: boolean }
  | { type: 'history-failed'; companionId: string }
  /** `page: null` means that nothing was ever said with this companion. */
  | { type: 'history-loaded'; companionId: string; page: TranscriptPage | null; older: boolean }
  | { type: 'turn-loaded'; turn: TurnView };

const EMPTY_THREAD: Thread = {
  conversationId: null,
  history: 'unloaded',
  entries: [],
  olderCursor: null,
  loadingOlder: false,
  live: [],
};

export const EMPTY_CHAT: ChatState = { threads: {}, turns: {} };

/** The thread with a companion; an empty one before anything is known of it. */
export function threadWith(state: ChatState, companionId: string): Thread {
  return state.threads[companionId] ?? EMPTY_THREAD;
}

/** What must be sent (again) as soon as there is a connection, in the order it was written. */
export function unsettledMessages(state: ChatState): { companionId: string; message: OwnMessage }[] {
  return Object.entries(state.threads)
    .flatMap(([companionId, thread]) =>
      thread.live.flatMap((item) =>
        item.kind === 'own' && (item.state === 'sending' || item.state === 'accepted')
          ? [{ companionId, message: item }]
          : [],
      ),
    )
    .sort((one, other) => one.message.at.localeCompare(other.message.at));
}

/**
 * The companion of a conversation shown here in which a turn ended that answers nothing this tab wrote: it
 * was written elsewhere, or the companion spoke first. What led to it must then be read. Else undefined.
 */
export function companionSpokenToElsewhere(state: ChatState, turn: TurnView): string | undefined {
  const companionId = companionOfConversation(state, turn.conversationId);
  if (companionId === undefined) return undefined;
  const isOurs = threadWith(state, companionId).live.some(
    (item) => item.kind === 'own' && linked(item, turn.turnId, turn.messageIds).turnId === turn.turnId,
  );
  return isOurs ? undefined : companionId;
}

/** The chat after an action. Frames about conversations that this page does not show change nothing. */
export function reduceChat(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'frame':
      return reduceFrame(state, action.frame, action.at);
    case 'wrote': {
      const { messageId, text, at } = action;
      const message: OwnMessage = {
        kind: 'own',
        messageId,
        text,
        at,
        state: 'sending',
        turnId: null,
        problem: null,
      };
      return withThread(state, action.companionId, (thread) => ({
        ...thread,
        live: [...thread.live, message],
      }));
    }
    case 'retried':
      return withOwnMessage(state, action.messageId, (message) => ({
        ...message,
        state: 'sending',
        problem: null,
      }));
    case 'disconnected':
      return mapThreads(state, (thread) => ({ ...thread, live: thread.live.flatMap(forgetUnfinished) }));
    case 'history-started':
      return withThread(state, action.companionId, (thread) =>
        action.older
          ? { ...thread, loadingOlder: true }
          : { ...thread, history: thread.history === 'loaded' ? 'loaded' : 'loading' },
      );
    case 'history-failed':
      return withThread(state, action.companionId, (thread) => ({
        ...thread,
        history: thread.history === 'loaded' ? 'loaded' : 'failed',
        loadingOlder: false,
      }));
    case 'history-loaded':
      return withThread(state, action.companionId, (thread) => withPage(thread, action.page, action.older));
    case 'turn-loaded':
      return { ...state, turns: { ...state.turns, [action.turn.turnId]: action.turn } };
  }
}

function reduceFrame(state: ChatState, frame: ServerFrame, at: string): ChatState {
  switch (frame.type) {
    case 'accepted': {
      const accepted = withOwnMessage(state, frame.messageId, (message) => ({
        ...message,
        state: 'accepted',
      }));
      const companionId = companionOfMessage(state, frame.messageId);
      return companionId === undefined
        ? accepted
        : withThread(accepted, companionId, (thread) => inConversation(thread, frame.conversationId));
    }
    case 'turn': {
      const companionId = companionOfTurn(state, frame);
      if (companionId === undefined) return state;
      const { turnId, recalled, mood } = frame;
      const reply: Reply = {
        kind: 'reply',
        turnId,
        text: '',
        at,
        state: 'thinking',
        restarted: false,
        recalled,
        mood,
      };
      return withThread(state, companionId, (thread) => ({
        ...thread,
        live: [
          ...thread.live.map((item) => linked(item, turnId, frame.messageIds)),
          // A turn that was tried again announces itself again.
          ...(hasReply(thread, turnId) ? [] : [reply]),
        ],
      }));
    }
    case 'token':
      return withReply(state, frame.turnId, (reply) => ({
        ...reply,
        state: 'writing',
        text: reply.text + frame.text,
      }));
    case 'restart':
      return withReply(state, frame.turnId, (reply) => ({
        ...reply,
        state: 'thinking',
        text: '',
        restarted: true,
      }));
    case 'done':
      return withEndedTurn(state, frame.turn, at);
    case 'error':
      return withRefusal(state, frame);
    case 'ready':
    case 'pong':
    case 'mood':
      return state;
  }
}

function withEndedTurn(state: ChatState, turn: TurnView, at: string): ChatState {
  const companionId = companionOfConversation(state, turn.conversationId);
  const known = { ...state, turns: { ...state.turns, [turn.turnId]: turn } };
  if (companionId === undefined) return known;
  const reply: Reply = {
    kind: 'reply',
    turnId: turn.turnId,
    text: turn.reply ?? '',
    at,
    state: 'done',
    restarted: false,
    recalled: turn.recalled,
    mood: turn.mood,
  };
  return withThread(known, companionId, (thread) => {
    const live = thread.live.map((item) => {
      const message = linked(item, turn.turnId, turn.messageIds);
      if (message.kind === 'reply')
        return message.turnId === turn.turnId ? { ...reply, at: message.at } : message;
      return message.turnId === turn.turnId ? { ...message, state: 'answered' as const } : message;
    });
    return { ...thread, live: hasReply(thread, turn.turnId) ? live : [...live, reply] };
  });
}

function withRefusal(state: ChatState, frame: Extract<ServerFrame, { type: 'error' }>): ChatState {
  // A problem that names no message is about the first one that is not accepted yet, or else the first one
  // that still waits for its reply.
  const waiting = unsettledMessages(state).map(({ message }) => message);
  const messageId =
    frame.messageId ?? (waiting.find((message) => message.state === 'sending') ?? waiting[0])?.messageId;
  return messageId === undefined
    ? state
    : withOwnMessage(state, messageId, (message) => ({
        ...message,
        state: 'refused',
        problem: frame.problem.detail,
      }));
}

/** Ties a message to the turn that answers it: by its id, or, where none is given, because it was waiting. */
function linked(
  item: OwnMessage | Reply,
  turnId: string,
  messageIds: string[] | undefined,
): OwnMessage | Reply {
  if (item.kind !== 'own' || item.turnId !== null) return item;
  const isOfTurn = messageIds === undefined ? item.state === 'accepted' : messageIds.includes(item.messageId);
  return isOfTurn ? { ...item, turnId } : item;
}

/** Without a connection no token arrives any more: the message goes again, and with it the whole reply. */
function forgetUnfinished(item: OwnMessage | Reply): (OwnMessage | Reply)[] {
  if (item.kind === 'reply') return item.state === 'done' ? [item] : [];
  return item.state === 'accepted' ? [{ ...item, state: 'sending', turnId: null }] : [item];
}

function inConversation(thread: Thread, conversationId: string): Thread {
  if (thread.conversationId === conversationId) return thread;
  // The gateway keeps this thread in another conversation than the one that was read: read that one.
  const misread = thread.conversationId !== null;
  return {
    ...thread,
    conversationId,
    ...(misread ? { history: 'unloaded', entries: [], olderCursor: null } : {}),
  };
}

function withPage(thread: Thread, page: TranscriptPage | null, older: boolean): Thread {
  if (page === null) return { ...thread, history: 'loaded', loadingOlder: false };
  const pageIds = new Set(page.messages.map(({ id }) => id));
  const others = thread.entries.filter(({ id }) => !pageIds.has(id));
  const base = {
    ...thread,
    conversationId: page.conversation.id,
    history: 'loaded' as const,
    loadingOlder: false,
  };
  if (older) return { ...base, entries: [...page.messages, ...others], olderCursor: page.nextCursor };
  const overlaps = others.length < thread.entries.length;
  // A newest page that does not reach what is shown would leave a gap: start from it afresh.
  return overlaps
    ? { ...base, entries: [...others, ...page.messages] }
    : { ...base, entries: page.messages, olderCursor: page.nextCursor };
}

function companionOfMessage(state: ChatState, messageId: string): string | undefined {
  return Object.keys(state.threads).find((id) =>
    state.threads[id]?.live.some((item) => item.kind === 'own' && item.messageId === messageId),
  );
}

function companionOfConversation(state: ChatState, conversationId: string): string | undefined {
  return Object.keys(state.threads).find((id) => state.threads[id]?.conversationId === conversationId);
}

function companionOfTurn(
  state: ChatState,
  frame: Extract<ServerFrame, { type: 'turn' }>,
): string | undefined {
  if (frame.conversationId !== undefined) return companionOfConversation(state, frame.conversationId);
  return unsettledMessages(state).find(
    ({ message }) => message.state === 'accepted' && message.turnId === null,
  )?.companionId;
}

function hasReply(thread: Thread, turnId: string): boolean {
  return thread.live.some((item) => item.kind === 'reply' && item.turnId === turnId);
}

function withThread(state: ChatState, companionId: string, change: (thread: Thread) => Thread): ChatState {
  return {
    ...state,
    threads: { ...state.threads, [companionId]: change(threadWith(state, companionId)) },
  };
}

function mapThreads(state: ChatState, change: (thread: Thread) => Thread): ChatState {
  return {
    ...state,
    threads: Object.fromEntries(Object.entries(state.threads).map(([id, thread]) => [id, change(thread)])),
  };
}

function withOwnMessage(
  state: ChatState,
  messageId: string,
  change: (message: OwnMessage) => OwnMessage,
): ChatState {
  return mapThreads(state, (thread) => ({
    ...thread,
    live: thread.live.map((item) =>
      item.kind === 'own' && item.messageId === messageId ? change(item) : item,
    ),
  }));
}

function withReply(state: ChatState, turnId: string, change: (reply: Reply) => Reply): ChatState {
  return mapThreads(state, (thread) => ({
    ...thread,
    live: thread.live.map((item) =>
      // Tokens that come late do not reopen a reply.
      item.kind === 'reply' && item.turnId === turnId && item.state !== 'done' ? change(item) : item,
    ),
  }));
}
