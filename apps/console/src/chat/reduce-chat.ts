import type { ServerFrame, TurnView } from '@kith/contracts';
import {
  isDiscardable,
  mapThreads,
  reasonToWait,
  withFirstHeldDue,
  withOwnMessage,
  withThread,
  type ChatState,
  type OwnMessage,
  type Reply,
  type Thread,
  type TranscriptPage,
} from './chat-thread.js';
import type { Unsent } from './unsent.js';
import { reduceFrame } from './reduce-frame.js';

export type ChatAction =
  | { type: 'frame'; frame: ServerFrame; at: string }
  | ({ type: 'wrote' } & Unsent)
  | { type: 'retried'; messageId: string }
  /** A message went over the connection. */
  | { type: 'sent'; messageId: string }
  /** Messages that could not be accepted yet are sent again. */
  | { type: 'send-again' }
  /** A message that was refused, or could not be accepted yet, is discarded. */
  | { type: 'discarded'; messageId: string }
  | { type: 'disconnected' }
  | ({ type: 'history-started' } & HistoryRead)
  | ({ type: 'history-failed' } & HistoryRead)
  /** `page: null` means that nothing was ever said with this companion. */
  | ({ type: 'history-loaded'; page: TranscriptPage | null } & HistoryRead)
  | { type: 'turn-loaded'; turn: TurnView }
  | { type: 'turn-failed'; turnId: string }
  /** Lines of the talk were forgotten, or put back. */
  | { type: 'talk-changed' }
  /** Lines of the talk may be forgotten: changes made meanwhile were not announced. */
  | { type: 'reconnected'; openCompanionId: string };

/** One read of a page of a transcript: of the newest, or of older ones. */
export interface HistoryRead {
  companionId: string;
  older: boolean;
  /** Rises with each read. */
  number: number;
}

/** The chat after an action. */
export function reduceChat(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'frame':
      return reduceFrame(state, action.frame, action.at);
    case 'wrote': {
      const { messageId, text, at, refusal, held, taken = 'no' } = action;
      return withThread(state, action.companionId, (thread) => {
        const message: OwnMessage = {
          kind: 'own',
          messageId,
          text,
          at,
          state: refusal === undefined ? 'sending' : 'refused',
          transit: refusal === undefined ? transitIn(thread) : 'waiting',
          taken,
          turnId: null,
          problem: refusal ?? held ?? reasonToWait(thread),
        };
        return { ...thread, live: [...thread.live, message] };
      });
    }
    case 'retried':
      return withOwnMessage(state, action.messageId, (message, thread) => ({
        ...message,
        state: 'sending',
        transit: transitIn(thread),
        problem: reasonToWait(thread),
      }));
    case 'sent':
      return withOwnMessage(state, action.messageId, (message) => ({
        ...message,
        transit: 'in-flight',
        taken: message.taken === 'yes' ? 'yes' : 'maybe',
      }));
    case 'send-again':
      return mapThreads(state, withFirstHeldDue);
    case 'discarded':
      return mapThreads(state, (thread) => ({
        ...thread,
        live: thread.live.filter(
          (item) => item.kind !== 'own' || item.messageId !== action.messageId || !isDiscardable(item),
        ),
      }));
    case 'disconnected':
      return mapThreads(state, (thread) =>
        withFirstHeldDue({ ...thread, live: thread.live.flatMap(forgetUnfinished) }),
      );
    case 'history-started':
      return withThread(state, action.companionId, (thread) =>
        action.older
          ? { ...thread, older: 'loading' }
          : {
              ...thread,
              history: thread.history === 'unloaded' ? 'loading' : thread.history,
              lastRead: action.number,
            },
      );
    case 'history-failed':
    case 'history-loaded':
      return withThread(state, action.companionId, (thread) => {
        if (!action.older && action.number < thread.lastRead) return thread;
        if (action.type === 'history-loaded') return withPage(thread, action.page, action.older);
        const history = thread.history === 'loaded' ? 'loaded' : 'failed';
        return { ...thread, history, older: action.older ? 'failed' : 'unread', stale: null };
      });
    case 'turn-loaded':
      return { ...state, turns: { ...state.turns, [action.turn.turnId]: action.turn } };
    case 'turn-failed':
      return { ...state, turns: { ...state.turns, [action.turnId]: null } };
    case 'talk-changed':
      return { ...mapThreads(state, unread), turns: {} };
    case 'reconnected':
      return {
        // A thread that is opened later would show what was forgotten meanwhile, until it is read.
        ...mapThreads(state, (thread, id) =>
          id === action.openCompanionId ? unreadButShown(thread) : unread(thread),
        ),
        turns: {},
      };
  }
}

/** A thread without its lines, to be read again. Messages under way or refused stay: only this tab has them. */
function unread(thread: Thread): Thread {
  return {
    ...thread,
    history: 'unloaded',
    entries: [],
    olderCursor: null,
    older: 'unread',
    stale: null,
    live: thread.live.filter((item) => !isSettled(item)),
  };
}

/**
 * A thread to be read again, which shows its old lines until then: a reader keeps their place. A page of older lines that
 * was asked for comes with them, as the answer under way counts no more.
 */
function unreadButShown(thread: Thread): Thread {
  const { entries, live, olderCursor, older } = thread;
  const shown = { entries, live: live.filter(isSettled), olderCursor };
  const stale = thread.history === 'loaded' ? shown : thread.stale;
  return { ...unread(thread), stale, older: older === 'loading' ? 'loading' : 'unread' };
}

function isSettled({ state }: OwnMessage | Reply): boolean {
  return state === 'answered' || state === 'done';
}

/** New words go at once, unless they have to wait behind others: the companion is to hear them in order. */
function transitIn(thread: Thread): OwnMessage['transit'] {
  return reasonToWait(thread) === null ? 'due' : 'waiting';
}

function withoutRefused(thread: Thread, messageIds: ReadonlySet<string | null>): Thread {
  return {
    ...thread,
    live: thread.live.filter((item) => item.state !== 'refused' || !messageIds.has(item.messageId)),
  };
}

/** Without a connection no token arrives any more: the message goes again, and with it the whole reply. */
function forgetUnfinished(item: OwnMessage | Reply): (OwnMessage | Reply)[] {
  if (item.kind === 'reply') return item.state === 'done' ? [item] : [];
  if (item.state === 'accepted') return [{ ...item, state: 'sending', transit: 'due', turnId: null }];
  return [{ ...item, transit: item.state === 'sending' && item.problem === null ? 'due' : 'waiting' }];
}

function withPage(thread: Thread, page: TranscriptPage | null, older: boolean): Thread {
  if (page === null) return { ...thread, history: 'loaded', older: 'unread', stale: null };
  const kept = new Set(page.messages.map(({ messageId }) => messageId ?? null));
  const base = {
    // A message refused after it was accepted is in the transcript, so its copy here goes.
    ...withoutRefused(thread, kept),
    conversationId: page.conversation.id,
    history: 'loaded' as const,
    older: 'unread' as const,
    stale: null,
  };
  if (older) {
    const pageIds = new Set(page.messages.map(({ id }) => id));
    const newer = thread.entries.filter(({ id }) => !pageIds.has(id));
    return { ...base, entries: [...page.messages, ...newer], olderCursor: page.nextCursor };
  }
  // From its first message on, a newest page is complete: a line that it lacks was forgotten.
  const start = thread.entries.findIndex(({ id }) => id === page.messages[0]?.id);
  // A page that does not reach the lines shown would leave a gap: show it alone.
  return start < 0
    ? { ...base, entries: page.messages, olderCursor: page.nextCursor }
    : { ...base, entries: [...thread.entries.slice(0, start), ...page.messages] };
}
