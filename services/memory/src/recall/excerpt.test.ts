import { describe, expect, it } from '@jest/globals';
import { analyseText } from '../words/analyse-text.js';
import { excerpt, EXCERPT_CHARACTERS } from './excerpt.js';

const long = `${'The weather was fine on that day. '.repeat(6)}I went to the beach with Ida! ${'Then we ate. '.repeat(20)}`;

describe('an excerpt', () => {
  it('is the sentence that has the words, and what follows it', () => {
    const cut = excerpt(long, analyseText('How often did I go to the beach?'));
    expect(cut).toMatch(/^… I went to the beach with Ida! Then we ate\./);
    expect(cut).toMatch(/ …$/);
    expect(cut.length).toBeLessThanOrEqual(EXCERPT_CHARACTERS + 4);
  });

  it('of a short line is the line, and of words without spaces their beginning', () => {
    expect(excerpt('Off to the beach.', [])).toBe('Off to the beach.');
    expect(excerpt('海'.repeat(400), [])).toBe(`${'海'.repeat(EXCERPT_CHARACTERS)} …`);
  });

  it('has no half of a character, which hosts of models refuse', () => {
    expect(excerpt(`a${'😀'.repeat(200)}`, [])).toBe(`a${'😀'.repeat(EXCERPT_CHARACTERS / 2 - 1)} …`);
  });
});
