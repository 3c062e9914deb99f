import { describe, expect, it } from '@jest/globals';
import { signInLinkIn } from './sign-in-link.js';

describe('a sign-in link', () => {
  it('has a code', () => {
    expect(signInLinkIn('#code=abc-123')).toEqual({ kind: 'code', code: 'abc-123' });
  });

  it('is told from one with a key, which signs nobody in', () => {
    expect(signInLinkIn('#key=kth_abc-123')).toEqual({ kind: 'key' });
  });

  it.each(['', '#', '#code=', '#other=abc', '#abc'])('is not there in %j', (fragment) => {
    expect(signInLinkIn(fragment)).toBeNull();
  });
});
