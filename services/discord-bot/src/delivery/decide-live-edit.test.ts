import { describe, expect, it } from '@jest/globals';
import { decideLiveEdit, type LiveState } from './decide-live-edit.js';

const state: LiveState = { text: 'Well, let me think', shown: null, firstTokenAt: 0, lastShownAt: 0 };

describe('a reply that is being written', () => {
  it('is shown when it takes longer than a moment', () => {
    expect(decideLiveEdit(state, 1_499)).toBe(false);
    expect(decideLiveEdit(state, 1_500)).toBe(true);
    expect(decideLiveEdit({ ...state, text: ' ' }, 5_000)).toBe(false);
  });

  it('is edited at a pace, and when there is something to see', () => {
    const shown = { ...state, shown: 'Well, ', lastShownAt: 2_000 };
    expect(decideLiveEdit(shown, 3_499)).toBe(false);
    expect(decideLiveEdit(shown, 3_500)).toBe(true);
    expect(decideLiveEdit({ ...shown, text: 'Well, let' }, 9_000)).toBe(false);
  });
});
