import { describe, expect, it } from '@jest/globals';
import { isKeyShaped, keyInFragment } from './key-link.js';

describe('keyInFragment', () => {
  it('finds the key of a sign-in link', () => {
    expect(keyInFragment('#key=kth_abc-123')).toBe('kth_abc-123');
  });

  it.each(['', '#', '#key=', '#key=abc', '#other=kth_abc', '#kth_abc'])('finds none in %j', (fragment) => {
    expect(keyInFragment(fragment)).toBeNull();
  });
});

describe('isKeyShaped', () => {
  it('refuses spaces, other prefixes and what the gateway would refuse for its length', () => {
    expect(isKeyShaped('kth_one two')).toBe(false);
    expect(isKeyShaped('sk-abc')).toBe(false);
    expect(isKeyShaped(`kth_${'a'.repeat(197)}`)).toBe(false);
    expect(isKeyShaped(`kth_${'a'.repeat(196)}`)).toBe(true);
  });
});
