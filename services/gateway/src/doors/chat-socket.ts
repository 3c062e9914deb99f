import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, ClientFrame, type ServerFrame } from '@kith/contracts';
import { withCorrelationId } from '@kith/messaging';
import { randomUUID } from 'node:crypto';
import { WebSocketServer, type WebSocket } from 'ws';
import type { ApiKeys, Caller } from '../people/api-keys.js';
import type { TurnEvents } from '../turn/turn-events.js';
import type { Chat, ChatInput } from './chat.service.js';
import { parseInput } from './parse-input.js';
import { problemOf, rawProblem, toAppError } from './problem-details.js';
import type { RateLimit } from './rate-limit.js';
import { TurnTellers } from './turn-tellers.js';

export const SOCKET_PATH = '/v1/ws';
const MAX_FRAME_BYTES = 64 * 1_024;
/** A client that has not said who it is by then is not going to. */
const HELLO_WITHIN_MS = 5_000;
/** Often enough to keep proxies from closing an idle socket, and to notice one whose client is gone. */
const PING_EVERY_MS = 25_000;
const CLOSE_UNAUTHORIZED = 4_401;

export interface SocketParts {
  chat: Chat;
  keys: ApiKeys;
  limit: RateLimit;
  events: TurnEvents;
}

/** The WebSocket door, beside the HTTP server's other routes. Returns what closes it. */
export function openChatSocket(server: Server, parts: SocketParts): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Not every request target is a URL ("//" is none), and a throw in here would end the process.
    if (URL.parse(request.url ?? '/', 'http://localhost')?.pathname !== SOCKET_PATH) {
      socket.on('error', () => socket.destroy()); // Node took its own listener off for the upgrade
      socket.end(rawProblem(toAppError({ status: 404 })));
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => new Connection(ws, parts));
  });
  return () => {
    for (const ws of sockets.clients) ws.close(1001, 'going away');
    sockets.close();
  };
}

class Connection {
  #caller: Caller | undefined;
  #leave: (() => Promise<void>) | undefined;
  #isAlive = true;
  readonly #tellers = new TurnTellers<object>();

  constructor(
    private readonly ws: WebSocket,
    private readonly parts: SocketParts,
  ) {
    const hello = setTimeout(
      () => this.#caller ?? ws.close(CLOSE_UNAUTHORIZED, 'no hello in time'),
      HELLO_WITHIN_MS,
    );
    const ping = setInterval(() => {
      if (!this.#isAlive) return ws.terminate();
      this.#isAlive = false;
      ws.ping();
    }, PING_EVERY_MS);
    ws.on('pong', () => (this.#isAlive = true));
    ws.on('error', () => ws.terminate());
    ws.on('close', () => {
      clearTimeout(hello);
      clearInterval(ping);
      void this.#leave?.().catch(() => undefined);
    });
    ws.on('message', (data, isBinary) => {
      // Each frame is a request of its own, with a correlation id of its own.
      withCorrelationId(
        randomUUID(),
        () => void this.#onFrame(isBinary ? '' : (data as Buffer).toString('utf8')),
      );
    });
  }

  async #onFrame(text: string): Promise<void> {
    let messageId: string | undefined;
    try {
      const frame = parseInput(ClientFrame, parseJson(text));
      if (frame.type === 'ping') return this.#send({ type: 'pong' });
      if (frame.type === 'hello') return await this.#onHello(frame.key);
      if (!this.#caller) throw new AppError('unauthorized', `send hello before a ${frame.type}`);
      if (frame.type === 'stop') {
        const stopped = await this.parts.chat.stop(this.#caller, frame);
        return this.#send({ type: 'stopped', stopped });
      }
      const { type: _, ...input } = frame;
      messageId = input.messageId;
      await this.parts.limit.take(this.#caller.keyId);
      await this.#chat(this.#caller, input);
    } catch (error) {
      const problem = problemOf(toAppError(error));
      this.#send({ type: 'error', problem, ...(messageId ? { messageId } : {}) });
      if (problem.code === 'unauthorized') this.ws.close(CLOSE_UNAUTHORIZED, 'unauthorized');
    }
  }

  async #chat(caller: Caller, input: ChatInput): Promise<void> {
    const call = {};
    this.#tellers.begin(call);
    try {
      for await (const event of this.parts.chat.run(caller, 'websocket', input)) {
        if (!this.#tellers.mayTell(call, event)) continue;
        const about = event.type === 'error' && input.messageId ? { messageId: input.messageId } : {};
        this.#send({ ...event, ...about });
      }
    } finally {
      this.#tellers.end(call);
    }
  }

  async #onHello(key: string): Promise<void> {
    const caller = await this.parts.keys.authenticate(key, new Date());
    await this.#leave?.();
    this.#leave = await this.parts.events
      .subscribePerson(caller.personId, (frame) => this.#send(frame))
      .catch(() => undefined);
    this.#caller = caller;
    this.#send({ type: 'ready', personId: caller.personId, displayName: caller.displayName });
  }

  #send(frame: ServerFrame): void {
    if (this.ws.readyState === this.ws.OPEN) this.ws.send(JSON.stringify(frame));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_request', 'a frame must be a JSON object', undefined, { cause });
  }
}
