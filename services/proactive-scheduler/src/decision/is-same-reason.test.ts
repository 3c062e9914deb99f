import { describe, expect, it } from '@jest/globals';
import { isSameReason } from './is-same-reason.js';

const reason = (dueAt: string, over = {}) => ({
  ...{ about: 'remind me tomorrow at 9 to call mum', dueAt: new Date(dueAt), yearly: false, byClock: true },
  ...over,
});
const kept = reason('2026-01-15T00:00:00Z');
const isSame = (other: ReturnType<typeof reason>) => isSameReason(kept, other, 'Asia/Tokyo');

describe('two readings of a turn', () => {
  it('give the same where the clock says so, on another day as well', () => {
    expect(isSame(reason('2026-01-16T00:00:00Z'))).toBe(true);
    expect(isSame(reason('2026-01-15T12:00:00Z'))).toBe(true);
    expect(isSame(reason('2026-01-15T00:00:00Z', { byClock: false }))).toBe(true);
  });

  it.each([
    ['with other words', reason('2026-01-16T00:00:00Z', { about: 'remind me tomorrow at 9 to eat' })],
    ['at another hour', reason('2026-01-16T01:00:00Z')],
    ['days later', reason('2026-01-18T00:00:00Z')],
    ['that counts from when it was said', reason('2026-01-16T00:00:00Z', { byClock: false })],
  ])('give another reason %s', (_, other) => {
    expect(isSame(other)).toBe(false);
  });
});
