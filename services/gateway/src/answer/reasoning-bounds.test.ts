import { describe, expect, it } from '@jest/globals';
import { findBound, freshCalls, signatureOf } from './reasoning-bounds.js';

const call = (query: string) => ({ id: query, name: 'search_memory', arguments: { query } });
const limits = { maxSteps: 3, maxTokens: 1_000, maxMs: 5_000, maxCost: 0.5 };
const progress = {
  steps: 1,
  tokens: 500,
  elapsedMs: 100,
  cost: 0.1,
  made: new Set<string>(),
  sameResults: 0,
  room: 50_000,
};

describe('a model that asks for tools', () => {
  it('has them called, at most three at once, and each once', () => {
    const calls = ['a', 'a', 'b', 'c', 'd'].map(call);
    const chosen = (room: number) => {
      const { calls: taken, leftOut } = freshCalls(calls, new Set(), room);
      return [taken.map(({ id }) => id), leftOut];
    };
    expect(chosen(50_000)).toEqual([['a', 'b', 'c'], 1]);
    expect(chosen(2_500)).toEqual([['a', 'b'], 2]);
    expect(chosen(0)).toEqual([['a'], 3]);
  });

  it('is to speak when it asks for nothing new', () => {
    const made = new Set([signatureOf(call('a'))]);
    expect(freshCalls([call('a')], made, 50_000)).toEqual({ calls: [], leftOut: 0 });
  });

  it.each([
    [null, {}],
    ['steps', { steps: 3 }],
    ['tokens', { tokens: 1_000 }],
    ['time', { elapsedMs: 5_000 }],
    ['context', { room: 1_100 }],
    ['circles', { sameResults: 2 }],
    ['cost', { cost: 0.5, steps: 3 }],
  ])('comes to a bound: %s', (bound, change) => {
    expect(findBound({ ...progress, ...change }, limits)).toBe(bound);
  });

  it('may cost anything where no bound is set', () => {
    expect(findBound({ ...progress, cost: 9 }, { ...limits, maxCost: 0 })).toBeNull();
  });

  it('asks the same whatever the order of its arguments, at any depth', () => {
    const one = signatureOf({ name: 't', arguments: { a: 1, b: [{ c: 2, d: 3 }] } });
    expect(one).toBe(signatureOf({ name: 't', arguments: { b: [{ d: 3, c: 2 }], a: 1 } }));
    expect(one).not.toBe(signatureOf({ name: 't', arguments: { a: 1, b: [{ c: 3, d: 2 }] } }));
  });
});
