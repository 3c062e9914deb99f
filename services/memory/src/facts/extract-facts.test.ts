import { describe, expect, it } from '@jest/globals';
import { extractFacts } from './extract-facts.js';

const told = (text: string): string[] =>
  extractFacts(text).map(({ attribute, value }) => `${attribute} = ${value ?? 'no longer'}`);

describe('facts', () => {
  it.each([
    ['I’m vegan, and I love hiking; my name is Bob.', ['diet = vegan', 'likes:hiking = likes', 'name = Bob']],
    ['My wife, Anna, is a nurse.', ['partner = Anna']],
    ['I have a dog, called Rex, and a cat.', ['pet:dog = Rex']],
    ['I live in Washington D.C. now', ['home = Washington D.C']],
    ['I live in St. Gallen', ['home = St. Gallen']],
    ['I live in Graz, do you like it?', ['home = Graz']],
    ['Please remember I live in Graz.', ['home = Graz']],
    ["If you must know, I'm vegan", ['diet = vegan']],
    ['No I live in Graz', ['home = Graz']],
    ["Don't forget that I live in Graz.", ['home = Graz']],
    ['You always forget that I live in Graz', ['home = Graz']],
    ["Don't ever forget that I live in Graz", ['home = Graz']],
    ["Please don't let me forget that I live in Graz", ['home = Graz']],
    ['Try not to forget that I live in Graz', ['home = Graz']],
    ["That's not true — I live in Graz", ['home = Graz']],
    ["that's wrong I live in Graz", ['home = Graz']],
    ["I'm not sure about that - I live in Graz", ['home = Graz']],
    ["It's true that I live in Graz.", ['home = Graz']],
    ["Please don't call me Tom.", ['name = no longer']],
    ['Stop calling me Tom, call me Tim', ['name = Tim']],
    ["Call me Tim, and don't call me Tom", ['name = Tim']],
    ['You can call me June', ['name = June']],
    ['My birthday is on May 3rd', ['birthday = 3 may']],
    ['My birthday is the 3rd of September', ['birthday = 3 september']],
    ["My birthday's Sept 3", ['birthday = 3 september']],
  ])('are read clause by clause: %s', (text, facts) => {
    expect(told(text)).toEqual(facts);
  });

  it.each([
    'Do I live in Graz, or in Linz?',
    'Do you think I like jazz?',
    "I don't think I like jazz.",
    "I'm not sure that I love sushi.",
    'Forget that I live in Berlin.',
    'Please forget about the fact that I live in Berlin',
    "It's not true that I live in Berlin.",
    "I don't hate coffee",
    'It is wrong that I work as a nurse',
    'If I won, I live in Rome',
    '“I live in Paris”',
    'He said "I live in Paris" to me',
    'In my dream, my dog died',
    "They didn't call me Tom",
    'Nobody calls me Tom',
    'You can not call me Tom',
    'Call me Friday',
    'Call me May 5th',
    'My birthday is 3 weeks away',
    'My birthday is on 45 May',
  ])('are not read of what is asked, denied, supposed or quoted: %s', (text) => {
    expect(told(text)).toEqual([]);
  });
});
