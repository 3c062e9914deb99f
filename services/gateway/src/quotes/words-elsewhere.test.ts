import { expect, it } from '@jest/globals';
import { WordsElsewhere } from './words-elsewhere.js';

it('finds words of the person in other conversations alone', () => {
  const words = new WordsElsewhere();
  words.note({ personId: 'ann', conversationId: 'dm' }, ['boat', 'knee']);
  words.note({ personId: 'ann', conversationId: 'lobby' }, ['boat']);
  words.note({ personId: 'bob', conversationId: 'lobby' }, ['cat']);
  const found = (personId: string, conversationId: string) =>
    ['boat', 'knee', 'cat', 'rain'].filter((word) => words.has(word, { personId, conversationId }));
  expect(found('ann', 'dm')).toEqual(['boat']);
  expect(found('ann', 'lobby')).toEqual(['boat', 'knee']);
  expect(found('ann', 'elsewhere')).toEqual(['boat', 'knee']);
  expect(found('bob', 'dm')).toEqual(['cat']);
});
