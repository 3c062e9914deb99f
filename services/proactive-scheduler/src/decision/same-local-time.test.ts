import { describe, expect, it } from '@jest/globals';
import { sameLocalTime } from './same-local-time.js';

const zones = { from: 'UTC', to: 'Pacific/Auckland', now: new Date('2026-01-14T20:00:00Z') };
const moved = (dueAt: string, exact = true) =>
  sameLocalTime({ dueAt: new Date(dueAt), exact }, zones).toISOString();

describe('a time by the clock, in another zone', () => {
  it('is the same day and hour there', () => {
    expect(moved('2026-01-16T18:00:00Z')).toBe('2026-01-16T05:00:00.000Z');
    expect(moved('2026-07-16T18:00:00Z')).toBe('2026-07-16T06:00:00.000Z');
  });

  it('is a day later, where an hour to come is over there by that day', () => {
    // "At 22:00", said at nine in the morning there, while it was kept to be eight in the evening of the day before.
    expect(moved('2026-01-14T22:00:00Z')).toBe('2026-01-15T09:00:00.000Z');
  });

  it('stays over where it was, and stays on its day where no hour was named', () => {
    expect(moved('2026-01-14T18:00:00Z')).toBe('2026-01-14T05:00:00.000Z');
    expect(moved('2026-01-15T08:00:00Z', false)).toBe('2026-01-14T19:00:00.000Z');
  });
});
