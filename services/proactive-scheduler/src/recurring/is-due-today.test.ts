import { describe, expect, it } from '@jest/globals';
import { isDueToday } from './recurring-jobs.js';

const isDue = (lastRun: string | null, now: string, timeZone = 'UTC') =>
  isDueToday('05:40', lastRun === null ? null : new Date(lastRun), { timeZone, now: new Date(now) });

describe('a daily job', () => {
  it('is due at its hour, and once', () => {
    expect(isDue('2026-01-13T05:41:00Z', '2026-01-14T05:39:59Z')).toBe(false);
    expect(isDue('2026-01-13T05:41:00Z', '2026-01-14T05:40:00Z')).toBe(true);
    expect(isDue('2026-01-14T05:40:00Z', '2026-01-14T05:45:00Z')).toBe(false);
  });

  it('is due later where nothing ran at its hour, and where it never ran', () => {
    expect(isDue('2026-01-12T09:00:00Z', '2026-01-14T09:00:00Z')).toBe(true);
    expect(isDue('2026-01-12T09:00:00Z', '2026-01-14T02:00:00Z')).toBe(true);
    expect(isDue(null, '2026-01-14T02:00:00Z')).toBe(true);
  });

  it('is due where its last run was by a clock that was far ahead', () => {
    expect(isDue('2038-01-19T03:14:07Z', '2026-01-14T09:00:00Z')).toBe(true);
    // Replicas’ clocks differ a little.
    expect(isDue('2026-01-14T09:00:02Z', '2026-01-14T09:00:00Z')).toBe(false);
  });

  it('goes by the clock of its zone', () => {
    expect(isDue('2026-01-14T00:00:00Z', '2026-01-14T04:45:00Z')).toBe(false);
    expect(isDue('2026-01-14T00:00:00Z', '2026-01-14T04:45:00Z', 'Europe/Berlin')).toBe(true);
  });
});
