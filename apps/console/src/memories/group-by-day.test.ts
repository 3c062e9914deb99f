import { describe, expect, it } from '@jest/globals';
import { groupByDay } from './group-by-day.js';

describe('days of a timeline', () => {
  it('hold what was said on them, in the order given', () => {
    const said = ['2026-03-02T09:00:00Z', '2026-03-01T22:00:00Z', '2026-03-01T08:00:00Z'];
    const days = groupByDay(said.map((saidAt) => ({ saidAt })));
    expect(days.map(({ day, items }) => [day, items.length])).toEqual([
      ['2026-03-02', 1],
      ['2026-03-01', 2],
    ]);
    expect(groupByDay([])).toEqual([]);
  });
});
