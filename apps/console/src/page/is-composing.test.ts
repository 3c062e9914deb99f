import { describe, expect, it } from '@jest/globals';
import { isComposing } from './is-composing.js';

const key = (event: { isComposing: boolean; keyCode: number }) =>
  isComposing({ nativeEvent: event as unknown as KeyboardEvent });

describe('a key of an input method', () => {
  it('is one within a composition, and the one that ends it in Safari', () => {
    expect(key({ isComposing: true, keyCode: 13 })).toBe(true);
    expect(key({ isComposing: false, keyCode: 229 })).toBe(true);
    expect(key({ isComposing: false, keyCode: 13 })).toBe(false);
  });
});
