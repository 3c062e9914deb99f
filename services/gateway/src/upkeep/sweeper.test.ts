import { setImmediate } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { pino } from 'pino';
import { Sweeper } from './sweeper.js';

/** Sweeps where something is unfinished, and notes what is resumed. `during` is the work of each kind. */
function sweeping(during: (kind: string) => Promise<void>) {
  const resumed: string[] = [];
  const resuming = (kind: string) => ({
    resume: async () => {
      resumed.push(kind);
      await during(kind);
      return 1;
    },
  });
  const open = { messages: false, deliveries: false, unfinished: true, problems: false };
  const sweeper = new Sweeper({
    database: {
      write: async () => ({ open, inbox: [], outbox: [] }),
      withLock: async (_: string, work: () => Promise<void>) => work(),
    } as never,
    messenger: { canOrder: true } as never,
    turns: undefined as never,
    openTurns: { reconcile: resuming('follow-ups').resume } as never,
    erasures: resuming('erasures') as never,
    forgetting: resuming('forgetting'),
    privateTalk: resuming('private talk'),
    places: resuming('places'),
    logger: pino({ level: 'silent' }),
  });
  sweeper.start();
  return { sweeper, resumed };
}

it('resumes each kind of work where another can’t be', async () => {
  const { sweeper, resumed } = sweeping(() => Promise.reject(new AppError('unavailable', 'Redis is full')));
  for (let times = 0; times < 10; times += 1) await setImmediate();
  await sweeper.stop();
  expect(resumed).toEqual(['follow-ups', 'erasures', 'forgetting', 'places', 'private talk']);
});

it('waits for the step under way when it is stopped, and begins no other', async () => {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const { sweeper, resumed } = sweeping(() => ended);
  for (let times = 0; times < 10; times += 1) await setImmediate();
  let isStopped = false;
  const stopped = sweeper.stop().then(() => (isStopped = true));
  await setImmediate();
  expect(isStopped).toBe(false);
  end();
  await stopped;
  expect(resumed).toEqual(['follow-ups']);
});
