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

  it('tells a rule of the operator’s, and a pause, from a choice and from a missing model', () => {
    const reason = 'hook:no-spoilers: a spoiler';
    expect(describeOutcome({ outcome: 'apologised', reason }, 'Mira')).toBe(
      'A rule of the operator’s answered: no-spoilers: a spoiler',
    );
    expect(describeOutcome({ outcome: 'silent', reason }, 'Mira')).toBe(
      'A rule of the operator’s kept this without an answer: no-spoilers: a spoiler',
    );
    expect(describeOutcome({ outcome: 'silent', reason: 'paused' }, 'Mira')).toBe(
      'Mira is paused and answers nobody.',
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
