import { describe, expect, it } from '@jest/globals';
import { outcomeWords } from './mood-words.js';

describe('outcomeWords', () => {
  const now = new Date('2026-05-04T12:00:00Z');
  const settles = { turnId: 'a', kind: 'feared', since: '2026-05-01T12:00:00Z', about: 'the exam' } as const;

  it('says what a moment was the outcome of, to the one who told it', () => {
    const at = '2026-05-04T11:00:00Z';
    expect([...outcomeWords([{ at, settles }], now)]).toEqual([
      [Date.parse(at), 'what you feared when you told it last Friday: “the exam”'],
    ]);
  });

  it('has none for other moments, and none in somebody else’s words', () => {
    const at = '2026-05-04T11:00:00Z';
    const events = [
      { at, settles: null },
      { at, settles: { ...settles, about: null } },
    ];
    expect(outcomeWords(events, now).size).toBe(0);
  });
});
