import type { ConversationList, Transcript, TurnView } from '@kith/contracts';
import type { z } from 'zod';

export type TranscriptPage = z.infer<typeof Transcript>;
export type TranscriptEntry = TranscriptPage['messages'][number];
export type Conversation = z.infer<typeof ConversationList>['conversations'][number];

/** Name of the thread that this page writes in, with every companion. Other threads belong to other clients. */
export const THREAD = 'main';
/** Messages read at once: more than a screen shows. */
export const PAGE_SIZE = 30;

/** Message that the person wrote in this tab. */
export interface OwnMessage {
  kind: 'own';
  /** Sent again under this id after a lost connection: the gateway answers an id once. */
  messageId: string;
  text: string;
  at: string;
  /** `sending` until the gateway has committed it, then `accepted` until its turn ends. */
  state: 'sending' | 'accepted' | 'answered' | 'refused';
  /** While it is `sending`: whether it goes at once, went over this connection, or waits to be sent (again). */
  transit: 'due' | 'in-flight' | 'waiting';
  /** Its state at the gateway: `maybe` once it was sent, `yes` once it was accepted, until it is refused for good. */
  taken: 'no' | 'maybe' | 'yes';
  turnId: string | null;
  /** Reason why it was refused; while it is `sending`, why it, or one before it, is not accepted yet. */
  problem: string | null;
}

/** Reply that the companion writes, or wrote, while this tab was open. */
export interface Reply {
  kind: 'reply';
  turnId: string;
  text: string;
  at: string;
  state: 'thinking' | 'writing' | 'done';
  /** True where its first words do not count, since it was started again. */
  restarted: boolean;
  recalled: TurnView['recalled'];
  mood: TurnView['mood'];
}

/** The conversation with one companion. */
export interface Thread {
  conversationId: string | null;
  history: 'unloaded' | 'loading' | 'loaded' | 'failed';
  /** Number of the read of its newest page that was begun last: earlier ones may lack the newest lines. */
  lastRead: number;
  /** Oldest first, as the gateway keeps it. */
  entries: readonly TranscriptEntry[];
  /** For the page of older messages; null when there are none. */
  olderCursor: string | null;
  /** State of that page: `failed` where the last try to read it failed; `loading` also while it comes with a talk read again. */
  older: 'unread' | 'loading' | 'failed';
  /** Items since the page was opened, in order. */
  live: readonly (OwnMessage | Reply)[];
  /** Items shown until the talk is read again after a lost connection, no longer: some may be forgotten by then. */
  stale: Pick<Thread, 'entries' | 'live' | 'olderCursor'> | null;
}

/** Everything the chat shows. Threads are by companion id, ended turns by turn id: null for one that could not be read. */
export interface ChatState {
  threads: Readonly<Record<string, Thread>>;
  turns: Readonly<Record<string, TurnView | null>>;
  /** Reason why the last Stop failed; null where none did, or its answer is there by now. */
  stopProblem: string | null;
}

const EMPTY_THREAD: Thread = {
  conversationId: null,
  history: 'unloaded',
  lastRead: 0,
  entries: [],
  olderCursor: null,
  older: 'unread',
  live: [],
  stale: null,
};

export const EMPTY_CHAT: ChatState = { threads: {}, turns: {}, stopProblem: null };

/** The thread with a companion; an empty one before anything is known of it. */
export function threadWith(state: ChatState, companionId: string): Thread {
  return state.threads[companionId] ?? EMPTY_THREAD;
}

export interface WrittenMessage {
  companionId: string;
  message: OwnMessage;
}

/** Finds the messages written here that are in no transcript yet, in the order they were written. */
export function unansweredMessages(state: ChatState): WrittenMessage[] {
  return Object.entries(state.threads)
    .flatMap(([companionId, thread]) =>
      thread.live.flatMap((item) =>
        item.kind === 'own' && item.state !== 'answered' ? [{ companionId, message: item }] : [],
      ),
    )
    .sort((one, other) => one.message.at.localeCompare(other.message.at));
}

/** Finds the messages to send (again) once there is a connection, in the order they were written. */
export function openMessages(state: ChatState): WrittenMessage[] {
  return unansweredMessages(state).filter(({ message }) => message.state !== 'refused');
}

/** Finds messages not accepted for a reason that passes, and those behind them: they are sent again by themselves. */
export function heldMessages(state: ChatState): WrittenMessage[] {
  return openMessages(state).filter(({ message }) => message.problem !== null);
}

/** Finds the messages that go as soon as there is a connection, in the order they were written. */
export function messagesToSend(state: ChatState): WrittenMessage[] {
  return openMessages(state).filter(
    ({ message }) => message.state === 'sending' && message.transit === 'due',
  );
}

/** Makes the first held message of a thread due. Later ones go once that one is accepted. */
export function withFirstHeldDue(thread: Thread): Thread {
  const held = thread.live.filter(isHeld);
  if (held.some(({ transit }) => transit !== 'waiting')) return thread;
  return {
    ...thread,
    live: thread.live.map((item) => (item === held[0] ? { ...item, transit: 'due' } : item)),
  };
}

/** True for a message that can be discarded: one that the gateway may have accepted is still answered. */
export function isDiscardable({ problem, taken }: OwnMessage): boolean {
  return problem !== null && taken === 'no';
}

function isHeld(item: OwnMessage | Reply): item is OwnMessage {
  return item.kind === 'own' && item.state === 'sending' && item.problem !== null;
}

/** Reason why a thread holds a message back, and with it all later ones; null while it holds none. */
export function reasonToWait({ live }: Thread): string | null {
  return live.find(isHeld)?.problem ?? null;
}

/** Number of lines that a thread needs which is read again: those that it shows, and a page of older ones that was asked for. */
export function linesToRead({ stale, older }: Thread): number {
  if (stale === null) return 0;
  return stale.entries.length + stale.live.length + (older === 'loading' ? PAGE_SIZE : 0);
}

/** The state with one thread changed. */
export function withThread(
  state: ChatState,
  companionId: string,
  change: (thread: Thread) => Thread,
): ChatState {
  return { ...state, threads: { ...state.threads, [companionId]: change(threadWith(state, companionId)) } };
}

/** The state with every thread changed. */
export function mapThreads(
  state: ChatState,
  change: (thread: Thread, companionId: string) => Thread,
): ChatState {
  return {
    ...state,
    threads: Object.fromEntries(
      Object.entries(state.threads).map(([id, thread]) => [id, change(thread, id)]),
    ),
  };
}

/** The state with one message of the person changed, in whichever thread it is. */
export function withOwnMessage(
  state: ChatState,
  messageId: string,
  change: (message: OwnMessage, thread: Thread) => OwnMessage,
): ChatState {
  return mapThreads(state, (thread) => ({
    ...thread,
    live: thread.live.map((item) =>
      item.kind === 'own' && item.messageId === messageId ? change(item, thread) : item,
    ),
  }));
}
