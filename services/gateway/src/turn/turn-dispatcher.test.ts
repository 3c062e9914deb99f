import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Postponed } from '@kith/messaging';
import { pino } from 'pino';
import { Bulkhead } from './bulkhead.js';
import { TurnDispatcher } from './turn-dispatcher.js';
import type { NothingClaimed } from './turn-taker.js';

const order = { conversationId: 'a place', personId: 'ann', inboxId: '2' };

/** Does the job of Ann's second message, which comes to this. Resolves with the time by which it is put off, if any. */
async function work(left: NothingClaimed, bulkhead = new Bulkhead()): Promise<number | null> {
  const taker = { run: async () => left };
  const dispatcher = new TurnDispatcher(undefined as never, taker, bulkhead, pino({ level: 'silent' }));
  try {
    await dispatcher.work(order);
    return null;
  } catch (error) {
    if (error instanceof Postponed) return error.delayMs;
    throw error;
  }
}

describe('the job of a message', () => {
  it('comes again for the rest of the pause where it came too early', async () => {
    const postponedMs = await work({ kind: 'wait', restMs: 120, newest: 2n });
    expect(postponedMs).toBeGreaterThan(120);
    expect(postponedMs).toBeLessThan(200);
  });

  it('leaves what a later message has its own job for, and what somebody else does', async () => {
    expect(await work({ kind: 'wait', restMs: 800, newest: 3n })).toBeNull();
    expect(await work({ kind: 'busy' })).toBeNull();
    expect(await work({ kind: 'nothing' })).toBeNull();
  });

  it('comes again soon where the person has as many turns under way as they may, and keeps no room', async () => {
    const bulkhead = new Bulkhead();
    while (bulkhead.enter({ conversationId: 'elsewhere', personId: 'ann' }));
    expect(await work({ kind: 'nothing' }, bulkhead)).toBeGreaterThan(0);
    const free = new Bulkhead();
    for (let times = 0; times < 5; times += 1) await work({ kind: 'wait', restMs: 1, newest: 2n }, free);
    expect(await work({ kind: 'nothing' }, free)).toBeNull();
  });
});

describe('draining', () => {
  const speaker = { conversationId: 'a place', personId: 'ann' };

  it('waits for what has a slot, begins nothing else here, and leaves it to a job', async () => {
    const queued: unknown[] = [];
    const messenger = {
      canOrder: true,
      enqueue: async (_: unknown, message: unknown) => queued.push(message),
    };
    let endTurn: (left: NothingClaimed) => void = () => undefined;
    const turn = new Promise<NothingClaimed>((resolve) => (endTurn = resolve));
    const runs: unknown[] = [];
    const taker = { run: (whom: unknown) => (runs.push(whom), turn) };
    const logger = pino({ level: 'silent' });
    const dispatcher = new TurnDispatcher(messenger as never, taker, new Bulkhead(), logger);
    const [slot, unused] = [dispatcher.reserve(speaker), dispatcher.reserve(speaker)];
    let isDrained = false;
    const drained = dispatcher.drain().then(() => (isDrained = true));

    expect(dispatcher.reserve(speaker)).toBeNull();
    await dispatcher.dispatch({ ...order, waiting: 0 }, 0);
    expect(queued).toEqual([order]);
    slot!.start('1', null);
    unused!.release();
    await setImmediate();
    expect(isDrained).toBe(false);
    endTurn({ kind: 'nothing' });
    await drained;
    await expect(dispatcher.work(order)).rejects.toBeInstanceOf(Postponed);
    expect(runs).toEqual([speaker]);
  });
});
