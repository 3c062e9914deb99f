import { chatSocket, type ClientFrame, type ServerFrame } from '@kith/contracts';
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import type { SignedIn } from '../session/use-session.js';
import { openChatSocket, type ChatSocket, type ConnectionStatus } from './chat-socket.js';
import { reduceChat } from './reduce-chat.js';
import {
  EMPTY_CHAT,
  heldMessages,
  messagesToSend,
  THREAD,
  unansweredMessages,
  type ChatState,
} from './chat-thread.js';
import { randomId } from '../page/random-id.js';
import { useEvery } from '../page/use-every.js';
import { loadUnsent, saveUnsent, toKeep } from './unsent.js';
import { companionSpokenToElsewhere } from './reduce-frame.js';
import { useReads } from './use-reads.js';

interface ChatEvents {
  onFrame: (frame: ServerFrame) => void;
  onKeyRefused: () => void;
}

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

  // The connection outlives renders: it must see the newest state and listeners without being reopened.
  const latest = useRef({ state, companionId, events });
  useEffect(() => {
    latest.current = { state, companionId, events };
  });

  const { readAnew, ...reads } = useReads(api, latest, dispatch);
  const { loadNewest } = reads;
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

  return { state, status, refusal, send, retry, discard, stop, reread, ...reads };
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
