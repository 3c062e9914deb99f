import { describe, expect, it } from '@jest/globals';
import { mayTell } from './may-tell.js';

const line = { personId: 'ann', text: 'my secret', withheld: null };

describe('a line of the transcript', () => {
  it.each(['forgotten', 'deleted', 'edited', 'undelivered'])('that is %s is told to nobody', (withheld) => {
    expect([mayTell({ ...line, withheld }, 'ann'), mayTell({ ...line, withheld }, null)]).toEqual([
      false,
      false,
    ]);
  });

  it('that was said in private is told to its own person while that lasts, and nothing is made of it', () => {
    const said = { ...line, withheld: 'private' };
    expect(['ann', 'ben', null].map((to) => mayTell(said, to))).toEqual([true, false, false]);
    expect(mayTell({ ...said, text: '' }, 'ann')).toBe(false);
  });

  it('that was said where the app is no more is told to nobody, and kept for those who heard it', () => {
    const said = { ...line, isLeft: true };
    expect(['ann', 'ben', null].map((to) => mayTell(said, to))).toEqual([false, false, true]);
    expect(mayTell({ ...said, withheld: 'forgotten' }, null)).toBe(false);
  });

  it('that nothing holds back is told', () => {
    expect(mayTell(line, null)).toBe(true);
  });
});
