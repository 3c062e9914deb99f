import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ServerFrame } from '@kith/contracts';
import { openChatSocket, type ChatSocket } from './chat-socket.js';

/** Connections that were made, in order. */
let made: FakeSocket[];
let isAnswering: boolean;
/** Answer to a hello. */
let greeting: ServerFrame;
let statuses: string[];
let chat: ChatSocket;
let now: number;
let clock: jest.SpiedFunction<typeof Date.now>;
const standIns: [string, PropertyDescriptor | undefined][] = [];

class FakeSocket {
  static readonly OPEN = 1;
  readyState = FakeSocket.OPEN;
  onopen: (() => void) | undefined;
  onmessage: ((message: { data: string }) => void) | undefined;
  onclose: (() => void) | undefined;

  constructor() {
    made.push(this);
    queueMicrotask(() => this.onopen?.());
  }

  send(text: string): void {
    if (!isAnswering) return;
    const answer: ServerFrame = text.includes('hello') ? greeting : { type: 'pong' };
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(answer) }));
  }

  close(): void {
    this.readyState = 3;
  }
}

beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: ['Date', 'queueMicrotask'] });
  now = 0;
  clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
  [made, statuses, isAnswering] = [[], [], true];
  greeting = { type: 'ready', personId: '019a0000-0000-7000-8000-000000000001', displayName: 'Ana' };
  const page = { addEventListener: () => undefined, removeEventListener: () => undefined };
  standIn({ window: Object.assign(Object.create(globalThis) as object, page), document: page });
  standIn({ WebSocket: FakeSocket });
  const nothing = (): void => undefined;
  chat = openChatSocket('ws://kith', 'key', {
    onStatus: (status, refusal) => statuses.push(refusal === null ? status : `${status}: ${refusal}`),
    onFrame: nothing,
    onKeyRefused: nothing,
  });
  await jest.advanceTimersByTimeAsync(0);
});
afterEach(() => {
  try {
    chat.close();
  } finally {
    jest.useRealTimers();
    clock.mockRestore();
    for (const [name, before] of standIns.splice(0).toReversed())
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
  }
});

/** Puts parts of a browser in the place of Node's, until the test is over. */
function standIn(parts: object): void {
  for (const [name, value] of Object.entries(parts)) {
    standIns.push([name, Object.getOwnPropertyDescriptor(globalThis, name)]);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

/** Lets a pulse come that late: no timer fires meanwhile, as in a hidden tab or in a sleep. */
const latePulse = async (ms: number): Promise<void> => {
  now += ms;
  await jest.advanceTimersByTimeAsync(10_000);
};

describe('the connection of a page', () => {
  it('is kept while its pings are answered, however late they are', async () => {
    for (const ms of [60_000, 60_000, 8 * 3_600_000, 10_000, 60_000]) await latePulse(ms);
    expect(statuses).toEqual(['connecting', 'ready']);
    expect(made).toHaveLength(1);
  });

  it('tells why it is not taken for as long as that is so, and tries on', async () => {
    const ready = greeting;
    const problem = { type: 'about:blank', title: 'No', status: 429, detail: 'too many', code: 'any' };
    greeting = { type: 'error', problem };
    for (const answer of [greeting, greeting, ready]) {
      greeting = answer;
      made.at(-1)!.onclose!();
      await jest.advanceTimersByTimeAsync(2_000);
    }
    expect(made).toHaveLength(4);
    const refused = 'reconnecting: too many';
    expect(statuses).toEqual(['connecting', 'ready', 'reconnecting', refused, refused, 'ready']);
  });

  it.each([
    ['within a minute', 10_000, 4],
    ['with the second ping in a hidden tab', 60_000, 2],
  ])('is left where they are not: %s', async (_, ms, pulses) => {
    await latePulse(ms);
    isAnswering = false;
    for (let n = 1; n < pulses; n += 1) await latePulse(ms);
    expect(statuses.at(-1)).toBe('ready');
    await latePulse(ms);
    expect(statuses.at(-1)).toBe('reconnecting');
  });
});
