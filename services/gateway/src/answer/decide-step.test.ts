import { describe, expect, it } from '@jest/globals';
import { decideStep, signatureOf } from './decide-step.js';

const call = (query: string) => ({ id: query, name: 'search_memory', arguments: { query } });

describe('a model that asks for tools', () => {
  it('has them called, at most three at once', () => {
    const calls = ['a', 'b', 'c', 'd'].map(call);
    expect(decideStep(calls, 1, new Set())).toEqual({ kind: 'call', calls: calls.slice(0, 3) });
  });

  it('is to speak when it asks the same again, or for the third time', () => {
    expect(decideStep([call('a')], 2, new Set([signatureOf(call('a'))]))).toEqual({ kind: 'speak' });
    expect(decideStep([call('z')], 3, new Set())).toEqual({ kind: 'speak' });
  });

  it('asks the same whatever the order of its arguments', () => {
    const one = { id: '1', name: 't', arguments: { a: 1, b: 2 } };
    expect(signatureOf(one)).toBe(signatureOf({ ...one, id: '2', arguments: { b: 2, a: 1 } }));
  });
});
