import { describe, expect, it } from '@jest/globals';
import { oldestNeeded } from './event-trimmer.js';

describe('oldestNeeded', () => {
  it('is what follows the last entry given, when nothing is pending', () => {
    expect(oldestNeeded([{ lastDelivered: '5-3', oldestPending: null }])).toBe('5-4');
  });

  it('is the oldest entry that is still unacknowledged', () => {
    expect(oldestNeeded([{ lastDelivered: '9-0', oldestPending: '7-2' }])).toBe('7-2');
  });

  it('is that of the group furthest behind, by number and not by text', () => {
    const ahead = { lastDelivered: '1000-0', oldestPending: null };
    const behind = { lastDelivered: '999-10', oldestPending: '999-9' };
    expect(oldestNeeded([ahead, behind])).toBe('999-9');
    expect(oldestNeeded([{ ...behind, oldestPending: '999-11' }, behind])).toBe('999-9');
  });

  it('is unknown without a group', () => {
    expect(oldestNeeded([])).toBeNull();
  });
});
