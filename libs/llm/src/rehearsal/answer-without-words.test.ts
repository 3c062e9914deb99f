import { describe, expect, it } from '@jest/globals';
import { CALLED, WORDLESS_REPLY, noteOfSent } from '@kith/contracts';
import { answerWithoutWords } from './answer-without-words.js';

describe('the rehearsal, where nothing was said in words', () => {
  it.each([
    [noteOfSent('a picture', 'cat.png'), /can't see pictures/],
    [noteOfSent('a voice message', '4 seconds'), /can't hear voice messages/],
    [noteOfSent('a sticker', 'wave'), /sticker/],
    [noteOfSent('a poll', 'Dinner? soup, pie'), /poll/],
    [CALLED, /here/],
    [WORDLESS_REPLY, /mention on/],
  ])('answers %p with what it can not do', (said, answer) => {
    expect(answerWithoutWords(said)).toMatch(answer);
  });

  it('leaves words to the rules, also beside a picture, and what people put in brackets', () => {
    expect(answerWithoutWords('look\n[sent a picture]')).toBeNull();
    expect(answerWithoutWords('[sighs]')).toBeNull();
    expect(answerWithoutWords('')).toBeNull();
  });
});
