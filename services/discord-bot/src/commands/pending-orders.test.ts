import { describe, expect, it } from '@jest/globals';
import { PendingOrders } from './pending-orders.js';

describe('PendingOrders', () => {
  it('decides on an order once, and only for whom it belongs to; a later press gets the same answer', async () => {
    const orders = new PendingOrders<string, string>();
    const key = orders.keep('alice', 'all of it', 0);
    const carryOut = (order: string) => Promise.resolve(`forgot ${order}`);
    expect(orders.decide(key, 'bob', 1, carryOut)).toBeUndefined();
    const first = orders.decide(key, 'alice', 1, carryOut);
    const second = orders.decide(key, 'alice', 1, () => Promise.resolve('nothing was forgotten'));
    expect(await Promise.all([first, second])).toEqual(['forgot all of it', 'forgot all of it']);
  });

  it('forgets an order that was not confirmed in time', () => {
    const orders = new PendingOrders<string, string>();
    const key = orders.keep('alice', 'all of it', 0);
    expect(orders.decide(key, 'alice', 14 * 60_000, (order) => Promise.resolve(order))).toBeUndefined();
  });
});
