import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isNonceKnown, nonceOf } from './nonce-of.js';

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

describe('isNonceKnown', () => {
  const sentAt = new Date('2026-05-01T10:00:00Z');
  const after = (ms: number) => isNonceKnown(sentAt, sentAt.getTime() + ms);

  it('is so for two minutes', () => {
    expect([after(0), after(119_000), after(121_000)]).toEqual([true, true, false]);
  });

  it('bears clocks that are a little apart, but not one that was set back', () => {
    expect([after(-1_000), after(-3_600_000)]).toEqual([true, false]);
  });
});
