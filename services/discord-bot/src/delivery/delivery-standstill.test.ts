import { describe, expect, it } from '@jest/globals';
import { deliveryStandstill } from './delivery-standstill.js';

const status = { user: null, guilds: 0, problem: null };

describe('deliveryStandstill', () => {
  it('lets a reply out while connected, and while the connection is only lost', () => {
    for (const state of ['ready', 'connecting', 'standby'] as const) {
      expect(deliveryStandstill({ ...status, state }, false)).toBeUndefined();
    }
  });

  it('drops it without a token, keeps it while the token is refused', () => {
    expect(deliveryStandstill({ ...status, state: 'off' }, false)?.kind).toBe('failed');
    expect(deliveryStandstill({ ...status, state: 'failed', problem: 'refused' }, false)).toEqual({
      kind: 'retry',
      reason: 'refused',
    });
  });
});
