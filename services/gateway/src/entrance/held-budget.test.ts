import { describe, expect, it } from '@jest/globals';
import { HeldBudget } from './held-budget.js';

describe('what is held at once', () => {
  it('is bounded for each caller and for all, until it is given back', () => {
    const budget = new HeldBudget('too much of yours', 2, 3);
    const giveBack = budget.take('ada', 2);
    expect(() => budget.take('ada', 1)).toThrow(
      expect.objectContaining({ code: 'rate_limited', message: 'too much of yours' }),
    );
    budget.take('ben', 1);
    expect(() => budget.take('ben', 1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    giveBack();
    budget.take('ben', 1);
    budget.take('ada', 1);
  });
});
