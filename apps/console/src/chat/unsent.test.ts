import { beforeEach, describe, expect, it } from '@jest/globals';
import { loadUnsent, saveUnsent } from './unsent.js';

const MESSAGE = { companionId: 'mira', messageId: 'm1', text: 'My words', at: '2026-05-01T10:00:00.000Z' };

describe('messages kept for a reconnect', () => {
  let kept: Map<string, string>;
  beforeEach(() => {
    kept = new Map();
    const sessionStorage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => kept.set(name, value),
      removeItem: (name: string) => kept.delete(name),
    };
    Object.assign(globalThis, { window: { sessionStorage } });
  });

  it('come back to the person who wrote them', () => {
    saveUnsent('ada', [MESSAGE]);
    expect(loadUnsent('ada')).toEqual([MESSAGE]);
  });

  it('never come to another person, and give way to theirs', () => {
    saveUnsent('ada', [MESSAGE]);
    expect(loadUnsent('ben')).toEqual([]);
    saveUnsent('ben', []);
    expect(kept.size).toBe(0);
    expect(loadUnsent('ada')).toEqual([]);
  });

  it.each(['[]', 'x', JSON.stringify([MESSAGE])])('are none where %s is kept', (written) => {
    kept.set('kith.unsent', written);
    expect(loadUnsent('ada')).toEqual([]);
  });
});
