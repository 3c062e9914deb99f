import { describe, expect, it } from '@jest/globals';
import { describeEnding, describeReason } from './turn-reason.js';

describe('how a turn ended', () => {
  it('goes without saying for an answer', () => {
    expect(describeEnding({ outcome: 'answered', reason: null }, 'Mira')).toBeNull();
  });

  it.each([
    ['apologised', 'person-budget', 'this is an apology, not an answer: your tokens of the day were used up'],
    ['apologised', null, 'this is an apology, not an answer'],
    ['silent', 'paused', 'Mira read this and said nothing: it was paused'],
    ['dropped', 'poison', 'this message was set aside without a reply: every try to answer it failed'],
    [
      'apologised',
      'hook:no-spoilers: a spoiler',
      'a rule of the operator’s answered: no-spoilers: a spoiler',
    ],
    [
      'silent',
      'hook:quiet: at night',
      'a rule of the operator’s kept this without an answer: quiet: at night',
    ],
  ] as const)('is told in words: %s, %j', (outcome, reason, words) => {
    expect(describeEnding({ outcome, reason }, 'Mira')).toBe(words);
  });
});

describe('a reason of another version', () => {
  it('is told as its words, and never by its name alone', () => {
    expect(describeReason('no chat model answered: a:b timeout')).toBe('no chat model answered: a:b timeout');
    expect(describeReason('muted')).toBe('a reason that has no words here (muted)');
  });
});
