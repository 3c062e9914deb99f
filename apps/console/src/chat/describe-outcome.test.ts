import { describe, expect, it } from '@jest/globals';
import { describeDegraded, describeOutcome } from './describe-outcome.js';

describe('describeOutcome', () => {
  it('says nothing about an answer', () => {
    expect(describeOutcome({ outcome: 'answered', reason: null }, 'Mira')).toBeNull();
  });

  it('gives the reason of a silence, and calls an apology what it is', () => {
    expect(describeOutcome({ outcome: 'silent', reason: 'quiet hours' }, 'Mira')).toBe(
      'Mira read this and chose to say nothing: quiet hours',
    );
    expect(describeOutcome({ outcome: 'apologised', reason: null }, 'Mira')).toMatch(
      /an apology, not an answer$/,
    );
  });
});

describe('describeDegraded', () => {
  it('names what was missing, known or not', () => {
    expect(describeDegraded(['memory', 'tools'])).toEqual(['without recall', 'without tools']);
    expect(describeDegraded(['dense'])).toEqual(['recall by words alone']);
    expect(describeDegraded(['dense', 'lexical'])).toEqual(['recall by plain text search']);
  });
});
