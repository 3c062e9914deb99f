import { jsonOf, ServerFrame, type ClientFrame } from '@kith/contracts';

/** `reconnecting` also while the very first connection fails. */
export type ConnectionStatus = 'connecting' | 'ready' | 'reconnecting';

interface ChatSocketEvents {
  /** `refusal` is the gateway's reason for refusing the last connection; null where there is none. */
  onStatus: (status: ConnectionStatus, refusal: string | null) => void;
  onFrame: (frame: ServerFrame) => void;
  /** The gateway does not take this key any more; no further attempt is made. */
  onKeyRefused: () => void;
}

export interface ChatSocket {
  /** False when there is no connection: the caller keeps the frame. */
  send: (frame: ClientFrame) => boolean;
  close: () => void;
}

/** A connection that broke without a word is noticed within some seconds. */
const PULSE_MS = 10_000;
/** A connection that stays silent this long, despite its hello or pings, gets one last ping. */
const SILENCE_MS = 20_000;

/** A connection to `/v1/ws` that comes back by itself until it is closed. */
export function openChatSocket(url: string, key: string, events: ChatSocketEvents): ChatSocket {
  let socket: WebSocket | undefined;
  let isReady = false;
  let isClosed = false;
  let failures = 0;
  let refusal: string | null = null;
  let lastHeardAt = 0;
  /** True from the last ping that a silent connection gets until something is heard. */
  let isDoubted = false;
  let retryTimer: number | undefined;

  function connect(): void {
    window.clearTimeout(retryTimer);
    const current = new WebSocket(url);
    socket = current;
    heardNow();
    current.onopen = () => current.send(JSON.stringify({ type: 'hello', key } satisfies ClientFrame));
    current.onmessage = (message) => {
      if (current === socket) hear(String(message.data));
    };
    current.onclose = () => {
      if (current === socket) comeBack();
    };
  }

  function heardNow(): void {
    lastHeardAt = Date.now();
    isDoubted = false;
  }

  function hear(text: string): void {
    heardNow();
    const frame = jsonOf(ServerFrame, text);
    // One that this version of the page does not know.
    if (frame === null) return;
    if (frame.type === 'ready') {
      isReady = true;
      failures = 0;
      events.onStatus('ready', null);
    }
    if (frame.type === 'error' && frame.problem.status === 401) {
      close();
      events.onKeyRefused();
      return;
    }
    // The hello was refused, and none of the messages that wait: they are sent once a hello is accepted.
    if (frame.type === 'error' && !isReady) {
      refusal = frame.problem.detail;
      return;
    }
    events.onFrame(frame);
  }

  function comeBack(): void {
    isReady = false;
    socket = undefined;
    if (isClosed) return;
    events.onStatus('reconnecting', refusal);
    refusal = null;
    retryTimer = window.setTimeout(connect, reconnectDelayMs(failures, Math.random()));
    failures += 1;
  }

  const pulse = window.setInterval(() => {
    if (socket === undefined) return;
    const isSilent = Date.now() - lastHeardAt > SILENCE_MS;
    if (isSilent && isDoubted) {
      // Closing a dead connection can itself take minutes: leave it behind.
      const dead = socket;
      comeBack();
      dead.close();
      return;
    }
    // In a hidden tab a pulse is a minute late, and after a sleep hours: the clock alone proves nothing.
    isDoubted = isSilent;
    if (isReady) socket.send(JSON.stringify({ type: 'ping' } satisfies ClientFrame));
  }, PULSE_MS);

  const connectNow = (): void => {
    if (socket === undefined && !isClosed && document.visibilityState === 'visible') connect();
  };
  window.addEventListener('online', connectNow);
  document.addEventListener('visibilitychange', connectNow);

  function close(): void {
    isClosed = true;
    window.clearInterval(pulse);
    window.clearTimeout(retryTimer);
    window.removeEventListener('online', connectNow);
    document.removeEventListener('visibilitychange', connectNow);
    socket?.close();
    socket = undefined;
  }

  events.onStatus('connecting', null);
  connect();
  return {
    send(frame) {
      if (!isReady || socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(frame));
      return true;
    },
    close,
  };
}

// The first retry is quick, because most drops are a restart; the last ones spare a gateway that is down.
const FIRST_MS = 500;
const MAX_DELAY_MS = 15_000;

/**
 * Time to wait before connecting again, in milliseconds: doubled with each failed attempt (from 0), and
 * spread over the upper half so that many tabs do not come back in the same instant. `random` is in [0, 1).
 */
export function reconnectDelayMs(attempt: number, random: number): number {
  const longest = Math.min(MAX_DELAY_MS, FIRST_MS * 2 ** attempt);
  return Math.round(longest * (0.5 + random / 2));
}
