import { describe, expect, it } from '@jest/globals';
import type { FactView } from '@kith/contracts';
import type { z } from 'zod';
import { chooseInterest } from './choose-interest.js';

const NOW = new Date('2026-01-14T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();

function fact(
  id: string,
  attribute: string,
  change: Partial<z.output<typeof FactView>> & { pinned?: boolean; importance?: number } = {},
) {
  const { pinned = false, importance = 6, ...rest } = change;
  const known = { attribute, value: 'x', validFrom: daysAgo(60), validTo: null, isSure: true };
  const audience = 'direct' as const;
  return {
    id,
    audience,
    text: `about ${id}`,
    pinned,
    importance,
    fact: { ...known, wording: null, holdsUntil: null, ...rest },
  };
}

const choose = (facts: ReturnType<typeof fact>[], asked: string[] = []) =>
  chooseInterest(facts, new Set(asked), NOW)?.memoryId ?? null;

describe('what to ask somebody about of one’s own accord', () => {
  const sushi = fact('sushi', 'likes:sushi');
  const cat = fact('cat', 'pet:cat', { validFrom: daysAgo(10) });
  const oldJob = fact('baker', 'job', { validTo: daysAgo(5) });
  const newJob = fact('pilot', 'job', { validFrom: daysAgo(5) });

  it('is a change of some days ago, before anything they like', () => {
    expect(choose([sushi, cat, oldJob, newJob])).toBe('pilot');
  });

  it('is no change that is too fresh, too old, or none', () => {
    const at = (days: number) => fact('pilot', 'job', { validFrom: daysAgo(days) });
    expect([1, 40].map((days) => choose([oldJob, at(days)]))).toEqual([null, null]);
    expect(choose([newJob])).toBeNull();
  });

  it('is what they like, the pinned first, then the most important, then the latest, each once', () => {
    const pinned = fact('bees', 'likes:bees', { pinned: true });
    expect(choose([sushi, cat, pinned])).toBe('bees');
    expect(choose([sushi, cat, pinned], ['bees'])).toBe('cat');
    const choir = fact('choir', 'habit:choir', { importance: 8 });
    expect(choose([sushi, cat, choir])).toBe('choir');
    expect(choose([sushi, cat, pinned], ['bees', 'cat', 'sushi'])).toBeNull();
  });

  it.each([
    ['what they dislike', fact('x', 'likes:rain', { value: 'dislikes' })],
    ['what is over', fact('x', 'likes:rain', { validTo: daysAgo(1) })],
    ['what may be wrong', fact('x', 'likes:rain', { isSure: false })],
    ['health', fact('x', 'allergy:nuts')],
    ['love', fact('x', 'partner')],
  ])('is never %s', (_, one) => {
    expect(choose([one])).toBeNull();
  });
});
