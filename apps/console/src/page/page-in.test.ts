import { describe, expect, it } from '@jest/globals';
import { pageIn } from './page-in.js';

describe('the page of an address', () => {
  it('is the one that its fragment names', () => {
    expect(pageIn('#memories')).toBe('memories');
  });

  it.each(['', '#', '#nothing', '#code=abc', '#chat'])('is the chat for %j', (fragment) => {
    expect(pageIn(fragment)).toBe('chat');
  });
});
