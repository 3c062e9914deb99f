import { expect, it } from '@jest/globals';
import { wasUsed } from './plan-uses.js';

const fact = (text: string) => ({ text, speaker: 'Ann' });

it.each([
  ['Ann lives in Tokyo', 'any plans?', 'How is Tokyo these days, Ann?', true],
  ['My sister Ida plays the cello in Graz', 'music!', 'Does Ida still play the cello?', true],
  ['My sister Ida plays the cello in Graz', 'music!', 'Does she still play?', false],
  ['Ann lives in Tokyo', 'I am off to Tokyo', 'Tokyo, how nice!', false],
  ['Ann lives in Tokyo', 'any plans?', 'Nothing at all, Ann.', false],
  ['I like it', 'hm', 'I see.', false],
])('"%s" after "%s" in "%s": %s', (text, said, reply, expected) => {
  expect(wasUsed(fact(text), { said: [said], reply })).toBe(expected);
});
