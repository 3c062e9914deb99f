import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { nonceOf } from './nonce-of.js';

describe('nonceOf', () => {
  it('is the same for the same chunk and another for every other', () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const nonces = [one, two].flatMap((id) => Array.from({ length: 40 }, (_, chunk) => nonceOf(id, chunk)));
    expect(new Set(nonces).size).toBe(80);
    expect(nonceOf(one, 3)).toBe(nonces[3]);
  });

  it('stays within the 25 characters Discord allows', () => {
    expect(nonceOf(randomUUID(), 46_655).length).toBeLessThanOrEqual(25);
  });
});
