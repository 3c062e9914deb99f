import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import type { Response } from 'express';
import type { Caller } from '../people/caller.js';
import { streamEvents } from './stream-events.js';

/** Share of the real time that an unread stream is held here. */
const HASTE = 1 / 300;
const PART = { type: 'part', text: 'a'.repeat(100_000) };

let server: Server;
/** Streams whose events are asked for. */
let listening = 0;
/** Outcome of each call, by its key: `open`, or the code of its refusal. */
let outcomes: string[] = [];
afterEach(() => {
  server.closeAllConnections();
  server.close();
  outcomes = [];
});

/** Streams events of a source to whoever comes, as Nest does. Their path is their key. */
async function serve(source: () => AsyncGenerator<{ type: string }>): Promise<void> {
  const events = async function* () {
    listening += 1;
    try {
      yield* source();
    } finally {
      listening -= 1;
    }
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const wait = response.setTimeout.bind(response);
    response.setTimeout = (ms, ended) => wait(ms * HASTE, ended);
    const caller = { keyId: request.url, sessionOf: null } as unknown as Caller;
    const file = await streamEvents(events(), response as Response, caller);
    outcomes.push('open');
    const stream = file.getStream();
    response.once('close', () => stream.destroy());
    stream.pipe(response);
  };
  server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => {
      outcomes.push((error as { code: string }).code);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** Opens a stream, of which nothing is read yet. */
async function open(key: string): Promise<IncomingMessage> {
  const asked = get({ port: (server.address() as AddressInfo).port, path: `/${key}`, agent: false });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  return answer;
}

/** Sends parts without end, as fast as they are read. */
async function* endless() {
  for (;;) yield await Promise.resolve(PART);
}

describe('a stream', () => {
  it('ends where its client reads nothing', async () => {
    await serve(endless);
    const unread = await open('ada');
    expect(listening).toBe(1);
    await eventually('the end of the events', () => listening === 0);
    unread.destroy();
  });

  it('goes on where nothing is there to read for long, and says so', async () => {
    await serve(async function* () {
      yield PART;
      await setTimeout(3 * 60_000 * HASTE);
      yield { type: 'last' };
    });
    // With comments meanwhile: proxies close what is silent for half a minute.
    expect(await text(await open('ada'))).toMatch(/\n\n(:\n\n){2,}event: last\ndata: {"type":"last"}\n\n$/);
  });

  it('is one of 20 of its key, until its client closes it', async () => {
    await serve(async function* () {
      yield PART;
      await setTimeout(60_000, null, { ref: false });
      yield PART;
    });
    const all = await Promise.all(Array.from({ length: 20 }, () => open('ada')));
    const refused = await open('ada');
    const other = await open('ben');
    expect(outcomes.slice(-2)).toEqual(['rate_limited', 'open']);
    all[0]?.destroy();
    await eventually('room for one', async () => {
      const more = await open('ada');
      all.push(more);
      return outcomes.at(-1) === 'open';
    });
    for (const one of [...all, refused, other]) one.destroy();
  });

  it('that is refused is not counted', async () => {
    await serve(async function* () {
      if (outcomes.length < 25) throw Object.assign(new Error('refused'), { code: 'conflict' });
      yield PART;
    });
    for (let n = 0; n < 26; n++) (await open('cleo')).destroy();
    expect(outcomes.at(-2)).toBe('conflict');
    expect(outcomes.at(-1)).toBe('open');
  });
});
