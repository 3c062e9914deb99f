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
    ['My birthday is actually on the 17th of June', 'my'],
    ['My birthday is tomorrow', 'my'],
    ['Today is my birthday', 'my'],
    ["today's my 30th birthday, and I am off", 'my'],
    ['Today it was my birthday :)', 'my'],
    ["Next Friday is my mum's birthday", "my mum's"],
    ['The 3rd of May is my birthday', 'my'],
    ['May 3rd is my birthday', 'my'],
    ["It's my birthday today!", 'my'],
    ["It’s my mum's birthday on Sunday", "my mum's"],
    ['It was my birthday yesterday', 'my'],
    ['Heute ist mein Geburtstag!', 'my'],
    ['Am 3. Mai ist mein Geburtstag', 'my'],
    ["Aujourd'hui c'est mon anniversaire", 'my'],
    ['Es mi cumpleaños mañana', 'my'],
  ])('"%s"', (words, owner) => {
    expect(whoseBirthday(words)).toBe(owner);
  });

  it.each([
    'We go out for my birthday on Friday',
    'My birthday party is on Friday',
    'Our anniversary is on 3 May',
    'Today is my birthday party',
    "It's my birthday month, dinner with mum is on 10 June",
    'June is my birthday month, and on 12 June I have an exam',
    "It's my birthday and we go out on Friday",
    'My birthday was great, work starts again on Monday',
    'My birthday is coming up and my parents visit on Saturday',
    'My birthday was fun on 3 May',
  ])('is not told by "%s"', (words) => {
    expect(whoseBirthday(words)).toBeNull();
  });
});
