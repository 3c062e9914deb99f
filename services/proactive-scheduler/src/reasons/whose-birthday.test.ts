import { describe, expect, it } from '@jest/globals';
import { whoseBirthday } from './whose-birthday.js';

describe('whose birthday it is', () => {
  it.each([
    ['My birthday is on 3 May', 'my'],
    ["btw my birthday's 3 May!", 'my'],
    ['my 30th birthday is on 3 May', 'my'],
    ['My birthday was on 3 January', 'my'],
    ['Mein Geburtstag ist am 3. Mai', 'my'],
    ['Mi cumpleaños es el 3 de mayo', 'my'],
    ["My mum's birthday is on Sunday", "my mum's"],
    ['My mum’s birthday is on Sunday', "my mum's"],
  ])('"%s"', (words, owner) => {
    expect(whoseBirthday(words)).toBe(owner);
  });

  it.each([
    'We go out for my birthday on Friday',
    'My birthday party is on Friday',
    'Our anniversary is on 3 May',
    'Today is my birthday',
  ])('is not told by "%s"', (words) => {
    expect(whoseBirthday(words)).toBeNull();
  });
});
