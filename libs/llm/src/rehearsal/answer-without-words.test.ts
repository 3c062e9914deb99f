import { describe, expect, it } from '@jest/globals';
import { answerWithoutWords } from './answer-without-words.js';

describe('the rehearsal, where nothing was said in words', () => {
  it.each([
    ['[sent a picture: cat.png]', /can't see pictures/],
    ['[sent a voice message: 4 seconds]', /can't hear voice messages/],
    ['[sent a sticker: wave]', /sticker/],
    ['[sent a poll: Dinner? soup, pie]', /poll/],
    ['[called you, without a word]', /here/],
    ['[replied to you without mentioning you, so their words did not arrive]', /mention on/],
  ])('answers %p with what it can not do', (said, answer) => {
    expect(answerWithoutWords(said)).toMatch(answer);
  });

  it('leaves words to the rules, also beside a picture, and what people put in brackets', () => {
    expect(answerWithoutWords('look\n[sent a picture]')).toBeNull();
    expect(answerWithoutWords('[sighs]')).toBeNull();
    expect(answerWithoutWords('')).toBeNull();
  });
});
