import { describe, expect, it } from '@jest/globals';
import { keyInFragment } from './key-link.js';

describe('keyInFragment', () => {
  it('finds the key of a sign-in link', () => {
    expect(keyInFragment('#key=kth_abc-123')).toBe('kth_abc-123');
  });

  it.each(['', '#', '#key=', '#other=kth_abc', '#kth_abc'])('finds none in %j', (fragment) => {
    expect(keyInFragment(fragment)).toBeNull();
  });
});
