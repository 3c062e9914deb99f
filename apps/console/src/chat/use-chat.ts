import {
  chatSocket,
  type ClientFrame,
  conversationRoutes,
  type ServerFrame,
  turnRoutes,
} from '@kith/contracts';
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import type { SignedIn } from '../session/use-session.js';
import { openChatSocket, type ChatSocket, type ConnectionStatus } from './chat-socket.js';
import { reduceChat, type ChatAction } from './reduce-chat.js';
import {
  EMPTY_CHAT,
  heldMessages,
  linesToRead,
  messagesToSend,
  PAGE_SIZE,
  unansweredMessages,
  type ChatState,
  type TranscriptPage,
} from './chat-thread.js';
import { randomId } from '../page/random-id.js';
import { useEvery } from '../page/use-every.js';
import { findConversation } from './find-conversation.js';
import { loadUnsent, saveUnsent, toKeep } from './outbox-store.js';
import { companionSpokenToElsewhere } from './reduce-frame.js';

interface ChatEvents {
  onFrame: (frame: ServerFrame) => void;
  onKeyRefused: () => void;
}

// The thread that this page writes in, with every companion. Other threads belong to other clients.
const THREAD = 'main';
/** The API gives no more at once. */
const MAX_AT_ONCE = 200;
/** Time until a message that was not accepted is sent again: as often as the page checks what is down. */
const SEND_AGAIN_MS = 10_000;

/**
 * The chat of the person who signed in: its state, the connection that feeds it, and what one can do.
 * @param companionId whose thread is open; empty before it is known
 */
export function useChat({ key, personId, api }: SignedIn, companionId: string, events: ChatEvents) {
  const [state, dispatch] = useReducer(reduceChat, personId, restoreUnsent);
  const [status, setStatus] = useState<ConnectionStatus>('connecting');
  /** Reason why the gateway refuses this page's connection, where it gave one. */
  const [refusal, setRefusal] = useState<string | null>(null);
  const socketRef = useRef<ChatSocket | null>(null);
  const askedTurns = useRef(new Set<string>());
  /** Number of times that all was read again: an answer to an earlier request may hold forgotten words. */
  const epoch = useRef(0);
  /** Number of pages that were asked for: of newest ones, the last asked for counts. */
  const reads = useRef(0);

  // The connection outlives renders: it must see the newest state and listeners without being reopened.
  const latest = useRef({ state, companionId, events });
  useEffect(() => {
    latest.current = { state, companionId, events };
  });

  /** Reads one page of a transcript; `before` is the cursor of the page after it. */
  const readPage = useCallback(
    (id: string, before?: string, limit = PAGE_SIZE) =>
      api.call(conversationRoutes.messages, { params: { id }, query: { before, limit } }),
    [api],
  );
  const load = useCallback(
    async (companionId: string, older: boolean, read: () => Promise<TranscriptPage | null>) => {
      let asked: number;
      let outcome: ChatAction;
      do {
        asked = epoch.current;
        reads.current += 1;
        const own = { companionId, older, number: reads.current };
        dispatch({ type: 'history-started', ...own });
        outcome = await read().then(
          (page): ChatAction => ({ type: 'history-loaded', ...own, page }),
          (): ChatAction => ({ type: 'history-failed', ...own }),
        );
        // The caller asks for the newest page once. So where it is outdated by then, it is asked for again here.
      } while (!older && asked !== epoch.current);
      if (asked === epoch.current) dispatch(outcome);
    },
    [],
  );
  const loadNewest = useCallback(
    (companionId: string) =>
      load(companionId, false, async () => {
        const thread = latest.current.state.threads[companionId];
        const conversationId =
          thread?.conversationId ?? (await findConversation(api, companionId, THREAD))?.id;
        if (conversationId === undefined) return null;
        // As many as are shown, as far as one page goes, so that a reader keeps their place; and all that was said on
        // this page, whose lines stand behind those that are read.
        const needed = thread === undefined ? 0 : Math.max(linesToRead(thread), thread.live.length + 2);
        return await readPage(conversationId, undefined, Math.min(Math.max(needed, PAGE_SIZE), MAX_AT_ONCE));
      }),
    [api, load, readPage],
  );

  const readAnew = useCallback((action: ChatAction) => {
    epoch.current += 1;
    askedTurns.current.clear();
    dispatch(action);
  }, []);
  /** Reads the talk again: lines of it were forgotten, or put back. */
  const reread = useCallback(() => readAnew({ type: 'talk-changed' }), [readAnew]);

  // Sends what the state says is due, in the same step, so that nothing is discarded in between.
  useLayoutEffect(() => {
    if (status !== 'ready') return;
    for (const { companionId, message } of messagesToSend(state)) {
      const { messageId, text } = message;
      if (socketRef.current?.send(messageFrame(companionId, messageId, text)) === true)
        dispatch({ type: 'sent', messageId });
    }
  }, [state, status]);
  const isAnyHeld = heldMessages(state).length > 0;
  useEvery(isAnyHeld ? SEND_AGAIN_MS : null, () => dispatch({ type: 'send-again' }));

  useEffect(() => {
    const url = new URL(chatSocket.path, window.location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = openChatSocket(url.href, key, {
      onStatus: (next, refusal) => {
        setStatus(next);
        setRefusal(refusal);
        if (next === 'reconnecting') dispatch({ type: 'disconnected' });
      },
      onFrame: (frame) => {
        dispatch({ type: 'frame', frame, at: new Date().toISOString() });
        if (frame.type === 'talk-changed') reread();
        if (frame.type === 'ready')
          readAnew({ type: 'reconnected', openCompanionId: latest.current.companionId });
        if (frame.type === 'done' || frame.type === 'talked') {
          const turn = frame.type === 'done' ? frame.turn : frame;
          const elsewhere = companionSpokenToElsewhere(latest.current.state, turn);
          if (elsewhere !== undefined) void loadNewest(elsewhere);
        }
        latest.current.events.onFrame(frame);
      },
      onKeyRefused: () => latest.current.events.onKeyRefused(),
    });
    socketRef.current = socket;
    return () => {
      socketRef.current = null;
      socket.close();
      dispatch({ type: 'disconnected' });
    };
  }, [key, loadNewest, readAnew, reread]);

  useEffect(() => {
    saveUnsent(personId, unansweredMessages(state).map(toKeep));
  }, [personId, state]);

  const send = useCallback(
    (companionId: string, text: string) =>
      dispatch({ type: 'wrote', companionId, messageId: randomId(), text, at: new Date().toISOString() }),
    [],
  );
  const retry = useCallback((messageId: string) => dispatch({ type: 'retried', messageId }), []);
  /** Discards a message that was refused, or could not be accepted yet. */
  const discard = useCallback((messageId: string) => dispatch({ type: 'discarded', messageId }), []);

  /** Ends messages that wait for an answer, without one. */
  const stop = useCallback((companion: string) => {
    socketRef.current?.send({ type: 'stop', companion, conversation: THREAD });
  }, []);

  const loadOlder = useCallback(
    async (companionId: string) => {
      const thread = latest.current.state.threads[companionId];
      if (thread?.conversationId == null || thread.olderCursor === null || thread.older === 'loading') return;
      const { conversationId, olderCursor } = thread;
      await load(companionId, true, () => readPage(conversationId, olderCursor));
    },
    [load, readPage],
  );

  /** Asks for an old turn's reasons, once at a time. */
  const loadTurn = useCallback(
    (turnId: string) => {
      if (askedTurns.current.has(turnId)) return;
      askedTurns.current.add(turnId);
      const asked = epoch.current;
      api.call(turnRoutes.show, { params: { id: turnId } }).then(
        (turn) => asked === epoch.current && dispatch({ type: 'turn-loaded', turn }),
        () => {
          if (asked !== epoch.current) return;
          askedTurns.current.delete(turnId);
          dispatch({ type: 'turn-failed', turnId });
        },
      );
    },
    [api],
  );

  return { state, status, refusal, send, retry, discard, stop, loadNewest, loadOlder, loadTurn, reread };
}

function messageFrame(companion: string, messageId: string, message: string): ClientFrame {
  return { type: 'message', companion, conversation: THREAD, messageId, message };
}

function restoreUnsent(personId: string): ChatState {
  return loadUnsent(personId).reduce(
    (state, message) => reduceChat(state, { type: 'wrote', ...message }),
    EMPTY_CHAT,
  );
}
