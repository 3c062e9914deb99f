import { describe, expect, it } from '@jest/globals';
import { pastDay } from './past-day.js';

describe('pastDay', () => {
  it.each([
    ['2026-01-15T03:30:00Z', 'UTC', '2026-01-14'],
    ['2026-01-14T23:30:00Z', 'UTC', '2026-01-13'],
    ['2026-01-14T23:30:00Z', 'Europe/Berlin', '2026-01-14'],
    ['2026-03-01T12:00:00Z', 'UTC', '2026-02-28'],
    // The day after the change of the clock, just past midnight.
    ['2026-03-29T22:10:00Z', 'Europe/Berlin', '2026-03-29'],
  ])('at %s in %s is %s', (now, zone, expected) => {
    expect(pastDay(new Date(now), zone)).toBe(expected);
  });
});
