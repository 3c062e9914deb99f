import type { ServerFrame, TurnView } from '@kith/contracts';
import {
  mapThreads,
  threadWith,
  openMessages,
  withFirstHeldDue,
  withOwnMessage,
  withThread,
  type ChatState,
  type OwnMessage,
  type Reply,
  type Thread,
} from './chat-thread.js';

/**
 * The companion of a conversation shown here in which a turn ended that answers nothing this tab wrote: it
 * was written elsewhere, or the companion spoke first. The lines before it must then be read. Else undefined.
 */
export function companionSpokenToElsewhere(
  state: ChatState,
  turn: Pick<TurnView, 'turnId' | 'conversationId' | 'companionId' | 'messageIds'>,
): string | undefined {
  // The first words of all begin a conversation that this page could not know.
  const { conversationId, history } = threadWith(state, turn.companionId);
  const isFirst = conversationId === null && (history === 'loaded' || history === 'loading');
  const companionId =
    companionOfConversation(state, turn.conversationId) ?? (isFirst ? turn.companionId : undefined);
  if (companionId === undefined) return undefined;
  // A message refused after it was accepted hears no more of its turn, so the outcome is read as well.
  const ours = threadWith(state, companionId).live.filter(
    (item) =>
      item.kind === 'own' && item.state !== 'refused' && isAnsweredBy(item, turn.turnId, turn.messageIds),
  );
  // A turn may answer what was written here and elsewhere.
  return ours.length >= Math.max(1, turn.messageIds?.length ?? 0) ? undefined : companionId;
}

/** The chat after a frame. Frames about conversations that this page does not show change nothing. */
export function reduceFrame(state: ChatState, frame: ServerFrame, at: string): ChatState {
  switch (frame.type) {
    case 'accepted': {
      const accepted = withOwnMessage(state, frame.messageId, (message) => ({
        ...message,
        state: 'accepted',
        taken: 'yes',
        problem: null,
      }));
      const companionId = companionOfMessage(state, frame.messageId);
      return companionId === undefined
        ? accepted
        : withThread(accepted, companionId, (thread) =>
            withFirstHeldDue(inConversation(thread, frame.conversationId)),
          );
    }
    case 'turn': {
      const companionId = companionOfTurn(state, frame);
      if (companionId === undefined) return state;
      const { turnId } = frame;
      const reply = replyOf(frame, at, { text: '', state: 'thinking' });
      return withThread(state, companionId, (thread) => {
        const live = linkTurn(thread.live, turnId, frame.messageIds);
        // A turn that took a newer message in starts again: its reply belongs after that one.
        return { ...thread, live: [...live.filter((item) => !isReplyOf(item, turnId)), reply] };
      });
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
    case 'stopped':
      return { ...state, stopProblem: null };
    case 'pong':
    case 'mood':
    case 'talk-changed':
    case 'talked':
      return state;
  }
}

function withEndedTurn(state: ChatState, turn: TurnView, at: string): ChatState {
  const companionId = companionOfConversation(state, turn.conversationId);
  const known = { ...state, stopProblem: null, turns: { ...state.turns, [turn.turnId]: turn } };
  if (companionId === undefined) return known;
  const reply = replyOf(turn, at, { text: turn.reply ?? '', state: 'done' });
  return withThread(known, companionId, (thread) => {
    const live = linkTurn(thread.live, turn.turnId, turn.messageIds).map((item) => {
      if (item.turnId !== turn.turnId) return item;
      return item.kind === 'own'
        ? { ...item, state: 'answered' as const, problem: null }
        : { ...reply, at: item.at };
    });
    const hasReply = live.some((item) => isReplyOf(item, turn.turnId));
    return { ...thread, live: hasReply ? live : [...live, reply] };
  });
}

/** Makes the reply of a turn, as far as it has come. */
function replyOf(
  { turnId, recalled, mood }: Pick<Reply, 'turnId' | 'recalled' | 'mood'>,
  at: string,
  reached: Pick<Reply, 'text' | 'state'>,
): Reply {
  return { kind: 'reply', turnId, at, restarted: false, recalled, mood, ...reached };
}

function withRefusal(state: ChatState, { messageId, problem }: Extract<ServerFrame, { type: 'error' }>) {
  // Every message of this page has an id, and so have their refusals. It asks for nothing else but a Stop.
  if (messageId === undefined) return { ...state, stopProblem: problem.detail };
  return withOwnMessage(state, messageId, (message) => ({
    ...message,
    // A message that could not be accepted just now is sent again by itself.
    state: message.state === 'sending' && isPassing(problem.status) ? 'sending' : 'refused',
    transit: 'waiting',
    // An accepted message stays with the gateway while it cannot answer.
    taken: message.taken === 'yes' && isPassing(problem.status) ? 'yes' : 'no',
    problem: problem.detail,
  }));
}

/** True for too many messages and for a service that is down. After a bug the same words would fail again. */
function isPassing(status: number): boolean {
  return status === 429 || status === 503;
}

/**
 * Ties the waiting messages to the turn that answers them, and drops the unfinished replies which are left
 * without one: a turn that broke off is tried again as another.
 */
function linkTurn(live: readonly (OwnMessage | Reply)[], turnId: string, messageIds: string[] | undefined) {
  const tied = live.map((item) =>
    item.kind === 'own' && isAnsweredBy(item, turnId, messageIds) ? { ...item, turnId } : item,
  );
  const turnsWaitedFor = new Set(tied.flatMap((item) => (item.kind === 'own' ? [item.turnId] : [])));
  return tied.filter(
    (item) =>
      item.kind === 'own' ||
      item.state === 'done' ||
      item.turnId === turnId ||
      turnsWaitedFor.has(item.turnId),
  );
}

/** By its id, or, where a gateway gives none, because it was accepted and waits. */
function isAnsweredBy(message: OwnMessage, turnId: string, messageIds: string[] | undefined): boolean {
  if (message.turnId === turnId) return true;
  if (messageIds !== undefined) return messageIds.includes(message.messageId);
  return message.turnId === null && message.state === 'accepted';
}

function inConversation(thread: Thread, conversationId: string): Thread {
  if (thread.conversationId === conversationId) return thread;
  // The gateway keeps this thread in another conversation than the one that was read: read that one.
  const misread = thread.conversationId !== null;
  return {
    ...thread,
    conversationId,
    ...(misread ? { history: 'unloaded', entries: [], olderCursor: null, stale: null } : {}),
  };
}

function companionOfMessage(state: ChatState, messageId: string): string | undefined {
  return Object.keys(state.threads).find((id) =>
    state.threads[id]?.live.some((item) => item.kind === 'own' && item.messageId === messageId),
  );
}

function companionOfConversation(state: ChatState, conversationId: string): string | undefined {
  return Object.keys(state.threads).find((id) => state.threads[id]?.conversationId === conversationId);
}

function companionOfTurn(state: ChatState, frame: Extract<ServerFrame, { type: 'turn' }>) {
  if (frame.conversationId !== undefined) return companionOfConversation(state, frame.conversationId);
  return openMessages(state).find(({ message }) => message.state === 'accepted' && message.turnId === null)
    ?.companionId;
}

function isReplyOf(item: OwnMessage | Reply, turnId: string): boolean {
  return item.kind === 'reply' && item.turnId === turnId;
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
