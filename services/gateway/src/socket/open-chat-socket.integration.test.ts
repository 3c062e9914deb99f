import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError, type ServerFrame } from '@kith/contracts';
import { eventually } from '@kith/testing';
import pino from 'pino';
import WebSocket from 'ws';
import { Entrance } from '../entrance/entrance.js';
import { tooMany } from '../entrance/rate-limit.js';
import { openChatSocket } from './open-chat-socket.js';

const KEY = 'a key';
const SPENT = 'a key whose minute is spent';
const MAY_NOT_CHAT = 'a key for memories alone';
const caller = {
  keyName: 'key',
  personId: 'p',
  displayName: 'Ana',
  scopes: ['chat'] as const,
  expiresAt: null,
  sessionOf: 'the key it is of',
  madeBy: null,
};

/** Answers ordinary requests with what they say. */
const server = createServer((request, response) => void request.pipe(response));
const openConnections = promisify(server.getConnections.bind(server));
const entrance = new Entrance(
  {
    authenticate: async (key) => {
      await lookup;
      if (keyProblem !== null) throw new AppError(keyProblem, 'not now');
      const scopes = key === MAY_NOT_CHAT ? (['memories'] as const) : caller.scopes;
      return { ...caller, keyId: key, scopes, ...(key === KEY ? {} : { sessionOf: null }) };
    },
  },
  1_000,
  '',
  pino({ level: 'silent' }),
);
let close: () => void;
/** Reason why no key can be checked. */
let keyProblem: 'unavailable' | 'unauthorized' | null = null;
/** Settles when the store of keys answers. */
let lookup: Promise<void> | undefined;
/** Settles when a message `held` may be taken. */
let held: Promise<void> | undefined;
const counted: string[] = [];
/** Work done for frames, in order. */
const done: string[] = [];
/** Ends keys, by their ids. */
let revoke: (ended: string[]) => void;
/** Functions by which they hear, until they leave. */
const listeners = new Set<unknown>();
/** Gap in what they hear. */
let gap: number | null = 0;
/** Sends frames to whoever said hello last, and tells when the gateway has let go of them. */
let person: { tell: (frame: ServerFrame) => void; isGone: Promise<void> };

beforeAll(async () => {
  close = openChatSocket(server, {
    chat: {
      run: async function* (_: unknown, __: unknown, { message }: { message: string }) {
        // The first takes longest.
        await (message === 'held' ? held : sleep(message === 'first' ? 100 : 1));
        done.push(message);
        yield { type: 'accepted' };
        await sleep(200);
        done.push(`answered ${message}`);
      },
      stop: async () => done.push('stop'),
    } as never,
    keys: { watch: (ended) => ((revoke = ended), () => undefined) },
    entrance,
    limit: {
      take: async (id: string) => {
        counted.push(id);
        if (id === SPENT) throw tooMany(1_000);
      },
    } as never,
    events: {
      get gap() {
        return gap;
      },
      subscribePerson: async (_: string, tell: (frame: ServerFrame) => void) => {
        let leave!: () => void;
        listeners.add(tell);
        person = { tell, isGone: new Promise((resolve) => (leave = resolve)) };
        return async () => {
          listeners.delete(tell);
          leave();
        };
      },
    } as never,
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  close();
  server.close();
});

const open = async () => {
  const opened = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/v1/ws`);
  await once(opened, 'open');
  return opened;
};

let socket: WebSocket;
let frames: ServerFrame[];
let closed: Promise<number>;

beforeEach(async () => {
  socket = await open();
  frames = [];
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString()) as ServerFrame));
  closed = once(socket, 'close').then(([code]) => code as number);
});

afterEach(() => socket.terminate());

const send = (frame: object) => socket.send(JSON.stringify(frame));
const hello = async (key = KEY) => {
  send({ type: 'hello', key });
  await once(socket, 'message');
};

describe('the WebSocket of somebody who has not said hello', () => {
  it('answers a ping, and is closed with the first frame that it refuses', async () => {
    send({ type: 'ping' });
    for (let n = 0; n < 3; n += 1) send({ type: 'message', message: 'hi', [`field${n}`]: 1 });
    expect(await closed).toBe(4_401);
    expect(frames.map(({ type }) => type)).toEqual(['pong', 'error']);
  });

  it('is closed with a message before its hello', async () => {
    send({ type: 'message', message: 'hi' });
    expect(await closed).toBe(4_401);
    expect(frames).toMatchObject([{ type: 'error', problem: { code: 'unauthorized' } }]);
  });

  it('is closed after five seconds, and stays open where its hello waits for a slow store', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setInterval', 'performance', 'Date'],
    });
    try {
      const silent = await open();
      const other = await open();
      let answer!: () => void;
      lookup = new Promise((resolve) => (answer = resolve));
      other.send(JSON.stringify({ type: 'hello', key: KEY }));
      // The gateway has read the hello once it answers this.
      other.send(JSON.stringify({ type: 'ping' }));
      await once(other, 'message');
      const end = once(silent, 'close');
      jest.advanceTimersByTime(5_000);
      expect((await end)[0]).toBe(4_401);
      const answered = Promise.race([once(other, 'message'), once(other, 'close')]);
      answer();
      const [data] = (await answered) as [Buffer];
      expect(JSON.parse(data.toString())).toMatchObject({ type: 'ready' });
      other.terminate();
    } finally {
      jest.useRealTimers();
      lookup = undefined;
    }
  });
});

describe('the WebSocket of a person', () => {
  it('takes messages and stops in their order, and answers side by side', async () => {
    done.length = 0;
    await hello();
    for (const message of ['first', 'second']) send({ type: 'message', message });
    send({ type: 'stop', conversation: 'here' });
    await eventually('all are answered', () => done.length === 5);
    expect(done).toEqual(['first', 'second', 'stop', 'answered first', 'answered second']);
    socket.close();
    await closed;
  });

  it('takes what was sent before its client left', async () => {
    done.length = 0;
    await hello();
    for (const message of ['first', 'second']) send({ type: 'message', message });
    socket.close();
    await closed;
    await eventually('both are taken', () => done.includes('first') && done.includes('second'));
  });

  it('refuses messages beyond those that may wait to be taken, each by its id', async () => {
    await hello();
    const ids = Array.from({ length: 40 }, (_, n) => `m${n}`);
    let release!: () => void;
    held = new Promise((resolve) => (release = resolve));
    for (const messageId of ids) send({ type: 'message', message: 'held', messageId });
    await eventually('the refusals', () => frames.filter(({ type }) => type === 'error').length === 8);
    const refused = frames.filter((frame) => frame.type === 'error');
    expect(refused[0]).toMatchObject({ messageId: 'm32', problem: { code: 'rate_limited' } });
    release();
    await eventually('the others', () => frames.filter(({ type }) => type === 'accepted').length === 32);
    socket.close();
    await closed;
  });

  it('stays open after a frame that it refuses', async () => {
    await hello();
    send({ type: 'message', message: 'hi', colour: 'red' });
    socket.send('['.repeat(1_000));
    send({ type: 'ping' });
    while (frames.length < 4) await once(socket, 'message');
    expect(frames).toMatchObject([
      { type: 'ready' },
      { type: 'error', problem: { detail: 'colour: is not a known field' } },
      { type: 'error', problem: { detail: 'the frame is nested more than 64 deep' } },
      { type: 'pong' },
    ]);
    socket.terminate();
  });

  it('hears nobody by a second hello, and ends with the key of its first', async () => {
    await hello();
    await hello(SPENT);
    expect(frames).toMatchObject([{ type: 'ready' }, { type: 'error', problem: { code: 'conflict' } }]);
    revoke([KEY]);
    expect(await closed).toBe(4_401);
  });

  it('ends with its person', async () => {
    await hello();
    revoke([caller.personId]);
    expect(await closed).toBe(4_401);
  });

  it('is closed with two hellos at once, and hears nobody', async () => {
    send({ type: 'hello', key: KEY });
    send({ type: 'hello', key: 'another key' });
    expect(await closed).toBe(4_409);
    await eventually('nobody listens', () => listeners.size === 0);
  });

  it('is closed where its hello is one too many, so that it says another on a socket of its own', async () => {
    await hello(SPENT);
    expect(await closed).toBe(4_429);
    expect(frames).toMatchObject([{ type: 'error', problem: { code: 'rate_limited' } }]);
  });

  it('is closed where its key may not chat, and hears nothing of the person', async () => {
    listeners.clear();
    await hello(MAY_NOT_CHAT);
    expect(await closed).toBe(4_403);
    expect(frames).toMatchObject([{ type: 'error', problem: { code: 'forbidden' } }]);
    expect(listeners.size).toBe(0);
  });

  it('is closed where its key has twenty others open, until one of them closes', async () => {
    const greet = async (key: string) => {
      const greeted = await open();
      greeted.send(JSON.stringify({ type: 'hello', key }));
      const [data] = (await once(greeted, 'message')) as [Buffer];
      return { greeted, answer: JSON.parse(data.toString()) as ServerFrame };
    };
    const others = [];
    for (let n = 0; n < 20; n += 1) others.push(await greet('a busy key'));
    expect(new Set(others.map(({ answer }) => answer.type))).toEqual(new Set(['ready']));
    counted.length = 0;
    await hello('a busy key');
    expect(frames).toMatchObject([{ type: 'error', problem: { code: 'rate_limited' } }]);
    expect(await closed).toBe(4_429);
    // A page that goes on trying takes no request from the others.
    expect(counted).toEqual([]);
    others.push(await greet('another key'));
    expect(others.at(-1)!.answer.type).toBe('ready');
    others[0]!.greeted.terminate();
    await eventually('room for one', async () => {
      const { greeted, answer } = await greet('a busy key');
      others.push({ greeted, answer });
      return answer.type === 'ready';
    });
    for (const { greeted } of others) greeted.terminate();
  });

  it('names the message of a frame that it refuses, and none for a stop', async () => {
    await hello();
    send({ type: 'message', messageId: 'm1', message: 'half a pair: \ud800' });
    keyProblem = 'unavailable';
    send({ type: 'message', messageId: 'm2', message: 'hi' });
    send({ type: 'stop', conversation: 'here' });
    await eventually('the refusals', () => frames.length === 4);
    keyProblem = null;
    expect(frames.slice(1).map((frame) => frame.type === 'error' && frame.messageId)).toEqual([
      'm1',
      'm2',
      undefined,
    ]);
    socket.terminate();
  });

  it('reads its talk anew once frames arrive again after some were lost', async () => {
    jest.useFakeTimers({
      doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'setTimeout', 'performance', 'Date'],
    });
    try {
      const other = await open();
      const told: ServerFrame[] = [];
      other.on('message', (data: Buffer) => told.push(JSON.parse(data.toString()) as ServerFrame));
      other.send(JSON.stringify({ type: 'hello', key: KEY }));
      await once(other, 'message');
      for (const now of [0, null, 2, 2]) {
        gap = now;
        // That its key could not be checked for a while is nothing to it.
        keyProblem = now === null ? 'unavailable' : null;
        const isAsked = once(other, 'ping');
        jest.advanceTimersByTime(25_000);
        await isAsked;
        // The gateway has read the answer to its ping once it answers this.
        other.send(JSON.stringify({ type: 'ping' }));
        await eventually('the pong', () => told.at(-1)?.type === 'pong');
        told.pop();
      }
      expect(told).toMatchObject([{ type: 'ready' }, { type: 'talk-changed' }]);
      keyProblem = 'unauthorized';
      jest.advanceTimersByTime(25_000);
      expect((await once(other, 'close'))[0]).toBe(4_401);
    } finally {
      jest.useRealTimers();
      gap = 0;
      keyProblem = null;
    }
  });

  it('is counted by the key that its session was made from', async () => {
    await hello();
    expect(counted.at(-1)).toBe('the key it is of');
    socket.terminate();
  });

  it('is cut off when it does not read', async () => {
    await hello();
    socket.pause();
    const frame = { type: 'token', turnId: 't', text: 'x'.repeat(100_000) } as const;
    // More than a connection on this machine takes while nobody reads.
    for (let n = 0; n < 1_000; n += 1) person.tell(frame);
    await person.isGone;
    socket.terminate();
  });
});

/** Asks for another protocol, and tells what is answered. */
const upgrade = async (request: string, to: string, body = '') => {
  const client = connect({ port: (server.address() as AddressInfo).port, allowHalfOpen: true });
  client.on('error', () => undefined);
  const headers = `Host: kith\r\nConnection: Upgrade\r\nUpgrade: ${to}\r\nContent-Length: ${body.length}`;
  client.write(`${request} HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
  const [told] = (await once(client, 'data')) as [Buffer];
  return { client, told: told.toString() };
};

describe('an upgrade', () => {
  it.each([
    ['to HTTP/2, as Java offers with each request', 'POST /v1/chat', 'h2c'],
    ['to HTTP/2 at its address', 'GET /v1/ws', 'h2c'],
    ['at another address', 'GET /v1/other', 'websocket'],
    ['at no address', 'GET //', 'websocket'],
    ['that is sent, not asked for', 'POST /v1/ws', 'websocket'],
  ])('that opens no WebSocket here is an ordinary request: %s', async (_, request, to) => {
    const { client, told } = await upgrade(request, to, 'what it says');
    expect(told).toMatch(/^HTTP\/1.1 200 [^]*what it says/);
    client.destroy();
  });

  it('that is no handshake is refused with a problem, and the version that is spoken', async () => {
    const { client, told } = await upgrade('GET /v1/ws', 'websocket');
    expect(told).toMatch(
      /^HTTP\/1.1 400 [^]*\nContent-Type: application\/problem\+json\r\n[^]*Sec-WebSocket-Key/,
    );
    expect(told).toContain('\r\nSec-WebSocket-Version: 13\r\n');
    client.destroy();
  });

  it('that is refused leaves no connection to a client that stays', async () => {
    socket.terminate();
    await eventually('no connection', async () => (await openConnections()) === 0);
    const refusal = jest.spyOn(entrance, 'admit').mockRejectedValue(tooMany(1_000));
    const { client, told } = await upgrade('GET /v1/ws', 'websocket');
    expect(told).toMatch(/^HTTP\/1.1 429 [^]*\r\nRetry-After: 1\r\n/);
    await eventually('it is let go of', async () => (await openConnections()) === 0, 5_000);
    refusal.mockRestore();
    client.destroy();
  });
});
