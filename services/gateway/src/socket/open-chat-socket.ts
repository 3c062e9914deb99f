import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, chatSocket, ClientFrame, present, type ServerFrame } from '@kith/contracts';
import { withCorrelationId } from '@kith/messaging';
import { randomUUID } from 'node:crypto';
import { WebSocketServer, type WebSocket } from 'ws';
import { type ApiKeys } from '../people/api-keys.js';
import type { TurnEvents } from '../signals/turn-events.js';
import type { ChatRunner, ChatInput } from '../intake/chat-runner.js';
import type { Entrance } from '../entrance/entrance.js';
import { parseInput } from '../entrance/parse-input.js';
import { problemOf, toAppError } from '../entrance/problem-details.js';
import { refuseSocket } from '../entrance/refuse-socket.js';
import { HeldBudget } from '../entrance/held-budget.js';
import { tooMany, type RateLimit } from '../entrance/rate-limit.js';
import { EventDeduplicator } from './event-deduplicator.js';
import { messageIdOf, parseJson } from './parse-json.js';
import { countedAs, isEnded, requireScope, type Caller } from '../people/caller.js';

/** Largest frame: several times the longest message, with its escapes. */
const MAX_FRAME_BYTES = 64 * 1_024;
/** Time for a client to say who it is. */
const HELLO_WITHIN_MS = 5_000;
/** Time between pings: proxies close a socket that is idle for half a minute or more. */
const PING_EVERY_MS = 25_000;
/** Close codes of our own (4000 to 4999), after the HTTP status that says the same. */
const CLOSE_UNAUTHORIZED = 4_401;
const CLOSE_TOO_MANY = 4_429;
/** Frames of all kinds that one socket may send: a well-behaved client sends one in some seconds. */
const FRAMES_PER_MINUTE = 600;
/** Messages and stops that wait to be taken at once: each may hold 64 KB, and a store that is away takes them slowly. */
const MAX_WAITING = 32;
/** Time after which a frame refused for that may be sent again. */
const TRY_AGAIN_MS = 1_000;
/** Sockets that one key may have open: one for each tab of a console, and then some. */
const SOCKETS_PER_KEY = 20;
/** Bytes that may wait for a client to read them: dozens of turns with all that they recalled. */
const MAX_UNREAD_BYTES = 1024 * 1024;
/** Longest delay of a timer in Node: for a key that holds longer, the timer is set again. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface SocketParts {
  chat: ChatRunner;
  keys: Pick<ApiKeys, 'watch'>;
  entrance: Entrance;
  limit: RateLimit;
  events: TurnEvents;
}

/** Opens the WebSocket beside the HTTP server's other routes. Returns a function that closes it. */
export function openChatSocket(server: Server, parts: SocketParts): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });
  const open = new HeldBudget('this key has too many WebSockets open: close one first', SOCKETS_PER_KEY);
  sockets.on('wsClientError', ({ message }, socket) => {
    const headers = { 'Sec-WebSocket-Version': '13' };
    refuseSocket(socket, new AppError('invalid_request', message, { headers }));
  });
  // Any other upgrade is an ordinary request: Java's client, and others, offer HTTP/2 with each of theirs.
  Object.assign(server, { shouldUpgradeCallback: asksForSocket });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy()); // Node took its own listener off for the upgrade
    const address = parts.entrance.addressOf(request);
    parts.entrance.admit(address).then(
      () => sockets.handleUpgrade(request, socket, head, (ws) => new Connection(ws, address, parts, open)),
      (refusal: unknown) => refuseSocket(socket, toAppError(refusal)),
    );
  });
  return () => {
    for (const ws of sockets.clients) ws.close(1001, 'going away');
    sockets.close();
  };
}

function asksForSocket({ method, url = '/', headers }: IncomingMessage): boolean {
  if (method !== 'GET' || headers.upgrade?.toLowerCase() !== 'websocket') return false;
  // Not every request target is a URL ("//" is none), and a throw in here would end the process.
  return URL.parse(url, 'http://localhost')?.pathname === chatSocket.path;
}

class Connection {
  /** Caller on this socket, with their key, which is checked again with each frame. */
  private known: { key: string; caller: Caller } | undefined;
  /** State of its one hello. With a second one it would hear one person by the key of another. */
  private hello: 'awaited' | 'begun' | 'answered' = 'awaited';
  private leave: (() => Promise<void> | void) | undefined;
  /** Gap in the person's frames that the client has heard of. */
  private gap: number | null = null;
  private expiry: NodeJS.Timeout | undefined;
  private isAlive = true;
  private frames = 0;
  /** Resolves when all messages and stops that came until now are taken. */
  private taken: Promise<void> = Promise.resolve();
  /** Messages and stops that are not taken yet. */
  private waiting = 0;
  private readonly tellers = new EventDeduplicator<object>();

  constructor(
    private readonly ws: WebSocket,
    private readonly address: string,
    private readonly parts: SocketParts,
    private readonly open: HeldBudget,
  ) {
    // A hello that was said may wait for a slow store: to close it as unauthorized would say that its key is bad.
    const hello = setTimeout(() => {
      if (this.hello === 'awaited') ws.close(CLOSE_UNAUTHORIZED, 'no hello in time');
    }, HELLO_WITHIN_MS);
    const ping = setInterval(() => {
      if (!this.isAlive) return ws.terminate();
      this.isAlive = false;
      ws.ping();
      // The broadcast that told of the key's end may have been lost.
      if (this.known) void this.endWithKey();
      this.tellGap();
    }, PING_EVERY_MS);
    const frames = setInterval(() => (this.frames = 0), 60_000);
    const unwatch = parts.keys.watch((ended) => {
      if (this.known && isEnded(this.known.caller, ended)) this.end('the key was revoked');
    });
    ws.on('pong', () => (this.isAlive = true));
    ws.on('error', () => ws.terminate());
    ws.on('close', () => {
      clearTimeout(hello);
      clearInterval(ping);
      clearInterval(frames);
      clearTimeout(this.expiry);
      unwatch();
      this.known = undefined;
      void this.leave?.();
    });
    ws.on('message', (data, isBinary) => {
      // Frames that came before the client noticed the close are not read.
      if (ws.readyState !== ws.OPEN) return;
      this.frames += 1;
      if (this.frames > FRAMES_PER_MINUTE) return ws.close(CLOSE_TOO_MANY, 'too many frames');
      const bytes = isBinary ? Buffer.alloc(0) : (data as Buffer);
      // Each frame is a request of its own, with a correlation id of its own.
      withCorrelationId(randomUUID(), () => void this.onFrame(bytes));
    });
  }

  private async onFrame(bytes: Buffer): Promise<void> {
    let messageId: string | undefined;
    try {
      const sent = parseJson(bytes);
      messageId = messageIdOf(sent);
      const frame = parseInput(ClientFrame, sent);
      if (frame.type === 'ping') {
        this.send({ type: 'pong' });
        return;
      }
      if (frame.type === 'hello') {
        await this.onHello(frame.key);
        return;
      }
      if (!this.known) throw new AppError('unauthorized', `send hello before a ${frame.type}`);
      // The client may have left by the time of its turn, and what it sent before is taken all the same.
      const { key } = this.known;
      await this.inOrder((onTaken) => this.onRequest(frame, key, onTaken));
    } catch (error) {
      this.refuse(error, messageId);
    }
  }

  /** Runs the work of a frame once those before it were taken: a stop is for the messages before it. */
  private async inOrder(work: (onTaken: () => void) => Promise<void>): Promise<void> {
    if (this.waiting >= MAX_WAITING) throw tooMany(TRY_AGAIN_MS);
    const before = this.taken;
    this.waiting += 1;
    let onTaken = (): void => undefined;
    this.taken = new Promise<void>((resolve) => (onTaken = resolve)).then(() => void (this.waiting -= 1));
    try {
      await before;
      await work(onTaken);
    } finally {
      onTaken();
    }
  }

  private async onRequest(
    frame: Extract<ClientFrame, { type: 'message' | 'stop' }>,
    key: string,
    onTaken: () => void,
  ): Promise<void> {
    const caller = await this.parts.entrance.callerOf(key, this.address);
    await this.parts.limit.take(countedAs(caller));
    if (frame.type === 'stop') {
      this.send({ type: 'stopped', stopped: await this.parts.chat.stop(caller, frame) });
      return;
    }
    const { type: _, ...input } = frame;
    await this.chat(caller, input, onTaken);
  }

  /** Checks the caller's key again, and ends the socket where it is no longer in force. */
  private async endWithKey(): Promise<void> {
    try {
      await this.parts.entrance.callerOf(present(this.known).key, this.address);
    } catch (error) {
      // The client asked for nothing. What keeps the key from being checked may pass.
      if (toAppError(error).code === 'unauthorized') this.refuse(error);
    }
  }

  /** Sends the problem. Closes the socket of a stranger, so that no second frame of theirs is read. */
  private refuse(error: unknown, messageId?: string): void {
    const problem = problemOf(toAppError(error));
    this.send({ type: 'error', problem, ...(messageId ? { messageId } : {}) });
    if (problem.code === 'unauthorized') this.end('unauthorized');
    else if (problem.code === 'invalid_request' && !this.known) this.end('no hello');
    // Its hello failed, or something else came before the answer. It may not say another.
    else if (this.hello === 'begun') this.end(problem.title, 4_000 + problem.status);
  }

  private end(reason: string, code = CLOSE_UNAUTHORIZED): void {
    this.known = undefined;
    this.ws.close(code, reason);
  }

  private async chat(caller: Caller, input: ChatInput, onAccepted: () => void): Promise<void> {
    const call = {};
    this.tellers.begin(call);
    try {
      for await (const event of this.parts.chat.run(caller, 'websocket', input)) {
        onAccepted();
        // The turn goes on without the client that left.
        if (!this.isOpen()) return;
        if (!this.tellers.mayTell(call, event)) continue;
        const about = event.type === 'error' && input.messageId ? { messageId: input.messageId } : {};
        this.send({ ...event, ...about });
      }
    } finally {
      this.tellers.end(call);
    }
  }

  private async onHello(key: string): Promise<void> {
    if (this.hello !== 'awaited') throw new AppError('conflict', 'a WebSocket takes one hello: open another');
    this.hello = 'begun';
    const { entrance, limit, events } = this.parts;
    await entrance.admit(this.address);
    const caller = await entrance.callerOf(key, this.address);
    // From here on the end of the key ends the socket, also while its channel is opened.
    this.known = { key, caller };
    // The socket of a client that is gone already is not counted: nothing would give it back.
    if (!this.isOpen()) return;
    // Before the limit: a page that tries for a place again and again would take the requests of those that have one.
    this.ws.once('close', this.open.take(countedAs(caller), 1));
    await limit.take(countedAs(caller));
    // The person's channel tells replies and moods.
    requireScope(caller, 'chat');
    this.gap = events.gap;
    this.leave = await events.subscribePerson(caller.personId, (frame) => this.send(frame));
    // The socket closed while its person's channel was opened, which nothing else would leave.
    if (!this.isOpen()) {
      await this.leave();
      return;
    }
    this.hello = 'answered';
    this.endWith(caller.expiresAt);
    this.send({ type: 'ready', personId: caller.personId, displayName: caller.displayName });
  }

  /** Has the client read its talk anew where frames for its person may have been lost, once they arrive again. */
  private tellGap(): void {
    const { gap } = this.parts.events;
    if (this.hello !== 'answered' || gap === null || gap === this.gap) return;
    this.gap = gap;
    this.send({ type: 'talk-changed' });
  }

  /** Closes the socket when its key is over. */
  private endWith(expiresAt: Date | null): void {
    if (expiresAt === null) return;
    const left = expiresAt.getTime() - Date.now();
    this.expiry = setTimeout(
      () => (left > MAX_TIMER_MS ? this.endWith(expiresAt) : this.end('the key has expired')),
      Math.min(Math.max(0, left), MAX_TIMER_MS),
    );
  }

  private isOpen(): boolean {
    return this.ws.readyState === this.ws.OPEN;
  }

  /** Sends a frame. A client that does not read is cut off before its unread frames fill the memory. */
  private send(frame: ServerFrame): void {
    if (!this.isOpen()) return;
    this.ws.send(JSON.stringify(frame));
    if (this.ws.bufferedAmount > MAX_UNREAD_BYTES) this.ws.terminate();
  }
}
