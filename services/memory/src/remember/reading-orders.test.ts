import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ReadingOrders } from './reading-orders.js';

const ann = { personId: 'ann', companionId: 'wren' };
const ben = { personId: 'ben', companionId: 'wren' };

describe('reading for facts', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is ordered once for all that comes before it begins, and again for what comes at its end', async () => {
    const ordered: [string[], number][] = [];
    const orders = new ReadingOrders({
      enqueue: async (_: unknown, { whose }: { whose: { personId: string }[] }, { delayMs = 0 } = {}) =>
        void ordered.push([whose.map(({ personId }) => personId), delayMs]),
    } as never);
    await orders.order([ann], 20_000);
    jest.advanceTimersByTime(10_000);
    await orders.order([ann, ben, ben], 20_000);
    expect(ordered).toEqual([
      [['ann'], 20_000],
      [['ben'], 20_000],
    ]);
    // Ann's may be under way by another clock.
    jest.advanceTimersByTime(6_000);
    await orders.order([ann, ben], 20_000);
    expect(ordered.slice(2)).toEqual([[['ann'], 20_000]]);
    // Who does not want to wait for that one gets one before it.
    await orders.order([ann], 2_000);
    await orders.order([ann], 2_000);
    expect(ordered.slice(3)).toEqual([[['ann'], 2_000]]);
  });
});
