import { describe, expect, it } from '@jest/globals';
import { nightsDue } from './nights-due.js';

const due = (lastDay: string | null, now: string, zone = 'UTC') => nightsDue(lastDay, new Date(now), zone);

describe('the nights that are due', () => {
  it.each([
    ['2026-01-15T03:30:00Z', 'UTC', '2026-01-14'],
    ['2026-01-14T23:30:00Z', 'UTC', '2026-01-13'],
    ['2026-01-14T23:30:00Z', 'Europe/Berlin', '2026-01-14'],
    ['2026-03-01T12:00:00Z', 'UTC', '2026-02-28'],
    // The day after the change of the clock, just past midnight.
    ['2026-03-29T22:10:00Z', 'Europe/Berlin', '2026-03-29'],
  ])('begin at %s in %s with %s', (now, zone, expected) => {
    expect(due(null, now, zone)).toEqual([expected]);
  });

  it('are none when yesterday is done', () => {
    expect(due('2026-01-14', '2026-01-15T03:30:00Z')).toEqual([]);
    expect(due('2026-01-14', '2026-01-15T23:59:00Z')).toEqual([]);
  });

  it('are all those that were missed, the oldest first, across a change of the clock', () => {
    expect(due('2026-03-27', '2026-03-31T01:30:00Z', 'Europe/Berlin')).toEqual([
      '2026-03-28',
      '2026-03-29',
      '2026-03-30',
    ]);
  });

  it('are two weeks of them at most', () => {
    const days = due('2025-06-01', '2026-01-15T03:30:00Z');
    expect([days.length, days[0], days.at(-1)]).toEqual([14, '2026-01-01', '2026-01-14']);
  });
});
