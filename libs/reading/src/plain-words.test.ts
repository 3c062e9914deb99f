import { describe, expect, it } from '@jest/globals';
import { readWords, spellOut } from './plain-words.js';

describe('what chat spells its own way', () => {
  it.each([
    ['im from Graz lol', 'I am from Graz'],
    ['Im vegan, dont ask', 'I am vegan, do not ask'],
    ['i love jazz tbh, u too', 'I love jazz, you too'],
    ['my gf isnt here rn', 'my girlfriend is not here'],
    ["i'm here, i can't", "I'm here, I can't"],
    ['not gonna lie im tired', 'I am tired'],
    ['Ty and Ya went home', 'Ty and Ya went home'],
    ['a well-r thing', 'a well-r thing'],
  ])('is written out: %s', (text, full) => {
    expect(spellOut(text)).toBe(full);
  });

  it.each([
    ['ill be there', 'i will be there'],
    ['so id say yes', 'so i would say yes'],
    ['ill today', 'ill today'],
    ['im so ill rn', 'i am so ill'],
    ['i feel so ill my head spins', 'i feel so ill my head spins'],
    ['ID verification failed', 'id verification failed'],
    ['so ill go', 'so i will go'],
    ['if id known', 'if i had known'],
    ['my dad is ill and my id expired', 'my dad is ill and my id expired'],
  ])('is read in words: %s', (text, words) => {
    expect(readWords(text).join(' ')).toBe(words);
  });
});
