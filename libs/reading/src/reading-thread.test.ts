import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ReadingThread } from './reading-thread.js';
import { ReaderEnded } from './rules-thread.js';

/** Rules as a service would have them, and three that no service should have. */
interface Rules {
  shout(text: string): { text: string; at: Date };
  refuse(text: string): never;
  readForEver(): void;
  fillMemory(): void;
  die(): void;
}
const SOURCE = `
  export const shout = (text) => ({ text: text.toUpperCase(), at: new Date(0) });
  export const refuse = (text) => { throw new RangeError('not ' + text); };
  export const readForEver = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  export const fillMemory = () => { const all = []; for (;;) all.push([...'a text that grows'.repeat(99)]); };
  export const die = () => process.exit(1);`;
/** Time in which a call that ends is answered on a machine with twenty times as much to do as it can. */
const LIMITS = { deadlineMs: 3_000, idleMs: 100 };
/** Time for a test: two threads that meet the deadline, and three that start, on such a machine. */
const PATIENCE_MS = 60_000;

let folder: string;
let thread: ReadingThread<Rules>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kith-reading-'));
  await writeFile(join(folder, 'rules.mjs'), SOURCE);
  await writeFile(join(folder, 'others.mjs'), SOURCE.replace('toUpperCase()', "toUpperCase() + '!'"));
  thread = new ReadingThread<Rules>(join(folder, 'rules.mjs'), LIMITS);
});
afterAll(() => rm(folder, { recursive: true }));

async function gone(): Promise<void> {
  while (thread.isRunning) await sleep(10);
}

describe('ReadingThread', () => {
  it(
    'reads elsewhere and copies what comes of it',
    async () => {
      expect(thread.isRunning).toBe(false);
      expect(await thread.call('shout', 'hello')).toEqual({ text: 'HELLO', at: new Date(0) });
    },
    PATIENCE_MS,
  );

  it(
    'reads one text after another and answers each with its own',
    async () => {
      const texts = Array.from({ length: 50 }, (_, n) => `text ${n}`);
      const read = await Promise.all(texts.map((text) => thread.call('shout', text)));
      expect(read.map(({ text }) => text)).toEqual(texts.map((text) => text.toUpperCase()));
    },
    PATIENCE_MS,
  );

  it(
    'throws what the rules throw, and goes on',
    async () => {
      await expect(thread.call('refuse', 'this')).rejects.toMatchObject({
        name: 'RangeError',
        message: 'not this',
      });
      expect(await thread.call('shout', 'on')).toMatchObject({ text: 'ON' });
    },
    PATIENCE_MS,
  );

  it.each(['readForEver', 'fillMemory', 'die'] as const)(
    'ends what would %s and reads the next',
    async (name) => {
      const ended = thread.call(name);
      const next = thread.call('shout', 'next');
      await expect(ended).rejects.toBeInstanceOf(ReaderEnded);
      expect(await next).toMatchObject({ text: 'NEXT' });
    },
    PATIENCE_MS,
  );

  it(
    'is one for all modules without limits of their own, each of which goes on when another had it ended',
    async () => {
      const [one, other] = ['rules.mjs', 'others.mjs'].map(
        (name) => new ReadingThread<Rules>(join(folder, name)),
      );
      expect(await one?.call('shout', 'one')).toMatchObject({ text: 'ONE' });
      expect(other?.isRunning).toBe(true);
      expect(await other?.call('shout', 'other')).toMatchObject({ text: 'OTHER!' });
      await expect(one?.call('die')).rejects.toBeInstanceOf(ReaderEnded);
      expect(await other?.call('shout', 'again')).toMatchObject({ text: 'AGAIN!' });
    },
    PATIENCE_MS,
  );

  it(
    'leaves the thread of the service free meanwhile',
    async () => {
      const ended = thread.call('readForEver').catch(() => undefined);
      let turns = 0;
      const ticking = setInterval(() => (turns += 1), 10);
      await ended;
      clearInterval(ticking);
      // A thread that waited would have had no turn at all; a busy machine gives it few.
      expect(turns).toBeGreaterThan(5);
    },
    PATIENCE_MS,
  );

  it(
    'goes when it is idle and comes back',
    async () => {
      await thread.call('shout', 'one');
      await gone();
      expect(await thread.call('shout', 'two')).toMatchObject({ text: 'TWO' });
      await gone();
    },
    PATIENCE_MS,
  );

  it(
    'stays over the pauses of a talk, and goes after half an hour without a word',
    async () => {
      jest.useFakeTimers({
        doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance', 'Date'],
      });
      try {
        const usual = new ReadingThread<Rules>(join(folder, 'rules.mjs'), {});
        await usual.call('shout', 'one');
        jest.advanceTimersByTime(20 * 60_000);
        expect(usual.isRunning).toBe(true);
        jest.advanceTimersByTime(10 * 60_000);
        expect(usual.isRunning).toBe(false);
      } finally {
        jest.useRealTimers();
      }
    },
    PATIENCE_MS,
  );

  it(
    'says so when its rules can not be loaded, and blames no text',
    async () => {
      const lost = new ReadingThread<Rules>(join(folder, 'nowhere.mjs'));
      const failing = lost.call('shout', 'one');
      await expect(failing).rejects.toThrow('does not start');
      await expect(failing).rejects.not.toBeInstanceOf(ReaderEnded);
    },
    PATIENCE_MS,
  );
});
