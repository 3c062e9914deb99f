import 'reflect-metadata';
import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { AppError, chatRoutes, companionRoutes, memoryRoutes } from '@kith/contracts';
import type { StreamableFile } from '@nestjs/common';
import { routeOf, serveRoutes } from './serve-routes.js';

const ID = '019a0000-0000-7000-8000-000000000001';
const TOKEN = { type: 'token' as const, turnId: ID, text: 'Hi' };

const state = {
  privacy: { private: false, since: null } as unknown,
  call: undefined as unknown,
  isListening: false,
  isRevoked: false,
};

const Controller = serveRoutes(
  { privacy: memoryRoutes.changePrivacy, moodCard: companionRoutes.moodCard, say: chatRoutes.say },
  () => ({
    privacy: (call) => {
      state.call = call;
      return state.privacy as { private: boolean; since: null };
    },
    moodCard: () => Buffer.from([1, 2]),
    say: async function* ({ body }) {
      state.isListening = true;
      try {
        if (body.message === 'refused') throw new AppError('conflict', 'not twice');
        yield TOKEN;
        if (body.message === 'breaks') throw new AppError('unavailable', 'it is away');
        yield TOKEN;
      } finally {
        state.isListening = false;
      }
    },
  }),
);

const controller = new Controller({});
const headers = new Map<string, unknown>();
const response = Object.assign(new Writable(), {
  setHeader: (name: string, value: unknown) => headers.set(name, value),
  setTimeout: () => undefined,
});

/** Calls a method as Nest does. */
function ask(method: 'privacy' | 'moodCard' | 'say', body?: unknown, query: object = {}): Promise<unknown> {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  const type = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const request = Object.assign(Readable.from([bytes]), {
    headers: type,
    params: { id: 'mira' },
    query,
    caller: 'Ada',
    checkKey: async () => {
      if (state.isRevoked) throw new AppError('unauthorized', 'it was revoked');
    },
    socket: { bytesRead: 0 },
  });
  const serve = Reflect.get(controller, method) as (...args: unknown[]) => Promise<unknown>;
  return serve.call(controller, request, response);
}

describe('a served route', () => {
  it('gives its method what it declares, parsed, and who calls; and nothing else of the request', async () => {
    await ask('privacy', { private: true });
    expect(state.call).toMatchObject({ body: { private: true }, caller: 'Ada' });
    expect(Object.keys(state.call as object).toSorted()).toEqual(['body', 'caller', 'request']);
    expect(routeOf(Reflect.get(controller, 'privacy') as object)).toBe(memoryRoutes.changePrivacy);
  });

  it('refuses what it does not take, before its method is called', async () => {
    state.call = null;
    await expect(ask('privacy', { private: 'yes', loud: 1 }, { other: 'x' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'other: is not a known field; private: true or false; loud: is not a known field',
    });
    expect(state.call).toBeNull();
  });

  it('does nothing with a key that ended while the body arrived', async () => {
    state.call = null;
    state.isRevoked = true;
    await expect(ask('privacy', { private: false })).rejects.toMatchObject({ code: 'unauthorized' });
    expect(state.call).toBeNull();
    state.isRevoked = false;
  });

  it('answers what it declares alone; anything else is a bug', async () => {
    state.privacy = { private: false, since: null, secret: 'x' };
    expect(await ask('privacy', { private: false })).toEqual({ private: false, since: null });
    state.privacy = { private: 'no' };
    await expect(ask('privacy', { private: false })).rejects.toMatchObject({ code: 'internal' });
  });

  it('answers a file as one', async () => {
    const file = (await ask('moodCard')) as StreamableFile;
    expect(file.getHeaders()).toMatchObject({ type: 'image/png', length: 2 });
  });

  it.each([
    ['JSON', 'privacy', { private: false }],
    ['a file', 'moodCard', undefined],
    ['a stream', 'say', { message: 'hi' }],
  ] as const)('lets nobody keep %s', async (_, method, body) => {
    state.privacy = { private: false, since: null };
    headers.clear();
    await ask(method, body);
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  it('answers a stream as server-sent events, with a problem as the last where it breaks', async () => {
    const file = (await ask('say', { message: 'breaks' })) as StreamableFile;
    expect(file.getHeaders().type).toBe('text/event-stream; charset=utf-8');
    const [first, second, rest] = (await text(file.getStream())).split('\n\n');
    expect(first).toBe(`event: token\ndata: ${JSON.stringify(TOKEN)}`);
    expect(second).toMatch(/^event: error\ndata: .*"detail":"it is away"/);
    expect(rest).toBe('');
  });

  it.each([0, 1, 2])('ends a stream whose client leaves after %i events', async (heard) => {
    const file = (await ask('say', { message: 'hi' })) as StreamableFile;
    expect(state.isListening).toBe(true);
    const stream = file.getStream();
    const events = stream[Symbol.asyncIterator]();
    for (let n = 0; n < heard; n++) await events.next();
    stream.destroy();
    await once(stream, 'close');
    await setImmediate();
    expect(state.isListening).toBe(false);
  });

  it('refuses a stream that fails before its first event as it refuses anything else', async () => {
    await expect(ask('say', { message: 'refused' })).rejects.toMatchObject({ code: 'conflict' });
  });
});
