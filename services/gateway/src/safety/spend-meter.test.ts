import { describe, expect, it } from '@jest/globals';
import { decideSpend } from './spend-meter.js';

describe('the day’s budget', () => {
  const limits = { perDay: 1_000, perPersonAndDay: 300 };

  it('stops everybody when it is spent, and one person when theirs is', () => {
    expect(decideSpend({ all: 999, person: 299 }, limits)).toBe('proceed');
    expect(decideSpend({ all: 1_000, person: 0 }, limits)).toBe('budget');
    expect(decideSpend({ all: 500, person: 300 }, limits)).toBe('person-budget');
  });

  it('is none where the limit is 0', () => {
    expect(decideSpend({ all: 1e9, person: 1e9 }, { perDay: 0, perPersonAndDay: 0 })).toBe('proceed');
  });
});
