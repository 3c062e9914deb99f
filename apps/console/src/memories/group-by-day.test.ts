import { describe, expect, it } from '@jest/globals';
import { groupByDay } from './group-by-day.js';

describe('days of a timeline', () => {
  it('hold what was said on them, in the order given', () => {
    const said = [new Date(2026, 2, 2, 0, 30), new Date(2026, 2, 1, 23, 30), new Date(2026, 2, 1, 0, 30)];
    const days = groupByDay(said.map((time) => ({ saidAt: time.toISOString() })));
    expect(days.map(({ day, items }) => [day, items.length])).toEqual([
      ['2026-03-02', 1],
      ['2026-03-01', 2],
    ]);
    expect(groupByDay([])).toEqual([]);
  });
});
