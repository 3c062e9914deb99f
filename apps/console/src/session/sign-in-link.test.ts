import { describe, expect, it } from '@jest/globals';
import { signInLinkIn } from './sign-in-link.js';

describe('a sign-in link', () => {
  it('has a code', () => {
    const code = 'abc-123_'.repeat(4);
    expect(signInLinkIn(`#code=${code}`)).toEqual({ kind: 'code', code });
  });

  it.each(['#code=abc-123', '#code='])('is not whole in %j', (fragment) => {
    expect(signInLinkIn(fragment)).toEqual({ kind: 'cut' });
  });

  it('is told from one with a key, which signs nobody in', () => {
    expect(signInLinkIn('#key=kth_abc-123')).toEqual({ kind: 'key' });
  });

  it.each(['', '#', '#other=abc', '#abc'])('is not there in %j', (fragment) => {
    expect(signInLinkIn(fragment)).toBeNull();
  });
});
