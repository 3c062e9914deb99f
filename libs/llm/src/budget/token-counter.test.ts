import { describe, expect, it } from '@jest/globals';
import { TokenCounter } from './token-counter.js';

const LINE = 'My sister is called Ida and she lives near the harbour with her two cats. ';
const openAi = { vocabulary: 'o200k' } as const;

describe('TokenCounter', () => {
  it('estimates until a host has counted, and then as the host counts', () => {
    const counter = new TokenCounter();
    const before = counter.quick('a')(LINE);
    for (let turn = 0; turn < 20; turn++) counter.note('a', 1_000, 1_500);
    expect(counter.quick('a')(LINE) / before).toBeCloseTo(1.5, 1);
    expect(counter.quick('b')(LINE)).toBe(before);
  });

  it('does not learn from a count that can not be of the prompt', () => {
    const counter = new TokenCounter();
    for (let turn = 0; turn < 20; turn++) counter.note('a', 1_000, 90_000);
    counter.note('b', 10, 400);
    expect(counter.quick('a')(LINE.repeat(10))).toBeLessThan(2 * counter.quick('b')(LINE.repeat(10)));
    expect(counter.quick('b')(LINE)).toBe(counter.quick('c')(LINE));
  });

  it('counts by the vocabulary once that is loaded, hostile runs and marks of its own too', async () => {
    const counter = new TokenCounter();
    expect(counter.exact({ vocabulary: null })).toBeNull();
    expect(counter.exact(openAi)).toBeNull();
    await counter.load();
    const count = counter.exact(openAi)!;
    expect(count(LINE.trim())).toBe(16);
    expect(count('<|endoftext|>')).toBeGreaterThan(0);
    // Whole, this takes the encoder eight seconds.
    expect(count('a'.repeat(100_000))).toBeGreaterThan(10_000);
  });
});
