import { describe, expect, it } from '@jest/globals';
import { describeApology, describeSilence } from './outcome-words.js';

describe('what is said in place of an answer', () => {
  it.each([
    ['hook:no-spoilers: a spoiler', "a rule of the operator's answered: no-spoilers: a spoiler"],
    ['person-budget', 'your tokens of the day are used up'],
    ['timed out', 'no model could answer: timed out'],
    [null, 'no model could answer'],
  ])('for %j is %j', (reason, words) => {
    expect(describeApology(reason)).toBe(words);
  });

  it.each([
    ['paused', 'Mira is paused and answers nobody'],
    ['hook:quiet: at night', "a rule of the operator's keeps Mira silent: quiet: at night"],
    ['nothing-said', 'Mira stays silent: nothing-said'],
    [null, 'Mira stays silent: silent'],
  ])('when it is nothing for %j, is %j', (reason, words) => {
    expect(describeSilence({ reason, outcome: 'silent' }, 'Mira')).toBe(words);
  });
});
