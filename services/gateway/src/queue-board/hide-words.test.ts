import { describe, expect, it } from '@jest/globals';
import { hideWords } from './hide-words.js';

describe('a job’s data on the board', () => {
  it('shows ids, days and numbers, and of words only that there are some', () => {
    const payload = {
      personId: '00000000-0000-7000-8000-00000000000a',
      day: '2026-03-01',
      at: '2026-03-01T10:00:00.000Z',
      turnIds: ['a-1', 'b-2'],
      tries: 3,
      asked: false,
      nothing: null,
      reason: 'They asked how the exam went.',
    };
    expect(hideWords({ payload })).toEqual({ payload: { ...payload, reason: '(29 characters)' } });
  });

  it('hides a single word too, wherever it stands, in a field that is not known to hold none', () => {
    const data = {
      reason: 'cilantro',
      about: { word: 'cilantro' },
      words: ['cilantro'],
      day: 'oh, cilantro!',
    };
    expect(JSON.stringify(hideWords(data))).not.toContain('cilantro');
    expect(hideWords('cilantro')).toBe('(8 characters)');
  });
});
