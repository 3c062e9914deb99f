import { describe, expect, it } from '@jest/globals';
import { describeCounts, type ExplainedCandidate } from '@kith/contracts';
import { describeFate, describeMatch, describeQuestion } from './candidate-words.js';

const candidate = {
  fate: 'alike',
  ownTerms: ['dog'],
  lentTerms: [{ term: 'call', by: 'x', share: 0.5 }],
  rules: [{ rule: 'self', factor: 2 }],
  alikeTo: { id: 'x', likeness: 0.91 },
  tokens: 12,
} as unknown as ExplainedCandidate;

describe('a candidate in words', () => {
  it('says why it was cut', () => {
    expect(describeFate(candidate)).toBe('repeats what was chosen, 91 % alike');
    expect(describeFate({ ...candidate, fate: 'budget' })).toBe('no room for 12 tokens');
  });

  it('says what it has of the question, and which rules apply', () => {
    expect(describeMatch(candidate)).toEqual([
      'has dog',
      'has beside it call (50 %)',
      'about yourself: ×2.00',
    ]);
  });

  it('says what was read, and counts', () => {
    const question = {
      terms: ['dog'],
      about: null,
      isOfSelf: true,
      asksAdvice: false,
      asksWhen: false,
      time: { from: '2026-05-01T00:00:00.000Z', to: '2026-05-02T00:00:00.000Z' },
    };
    expect(describeQuestion({ question, vectors: 'lexical' })).toBe(
      'the words dog · about yourself · of 2026-05-01 to 2026-05-02 · compared by spelling',
    );
    expect(describeCounts({ counts: { chosen: 2, floor: 1 }, gone: 1 })).toEqual([
      '2 chosen',
      '1 not alike enough',
      '1 forgotten or put away since',
    ]);
  });
});
