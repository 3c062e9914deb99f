import { describe, expect, it } from '@jest/globals';
import { countTalkChange, NO_TALK_CHANGES } from './count-talk-change.js';

describe('countTalkChange', () => {
  it.each([
    [true, { changes: 1, forgets: 1, gaps: 0 }],
    [false, { changes: 1, forgets: 0, gaps: 0 }],
    [undefined, { changes: 1, forgets: 0, gaps: 1 }],
  ])('counts a change whose forgets is %s', (forgets, counts) => {
    expect(countTalkChange(NO_TALK_CHANGES, { type: 'talk-changed', forgets })).toEqual(counts);
  });
});
