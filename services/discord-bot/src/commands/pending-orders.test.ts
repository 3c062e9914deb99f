import { describe, expect, it } from '@jest/globals';
import { PendingOrders } from './pending-orders.js';

describe('PendingOrders', () => {
  it('gives an order out once, and only to whom it belongs', () => {
    const orders = new PendingOrders<string>();
    const key = orders.keep('alice', 'all of it', 0);
    expect(orders.take(key, 'bob', 1)).toBeUndefined();
    expect(orders.take(key, 'alice', 1)).toBe('all of it');
    expect(orders.take(key, 'alice', 1)).toBeUndefined();
  });

  it('forgets an order that was not confirmed in time', () => {
    const orders = new PendingOrders<string>();
    const key = orders.keep('alice', 'all of it', 0);
    expect(orders.take(key, 'alice', 14 * 60_000)).toBeUndefined();
  });
});
