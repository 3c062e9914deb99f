import { describe, expect, it } from '@jest/globals';
import { isAskedFor } from './is-asked-for.js';

const asked = (memory: string, text: string | null, ...said: string[]) =>
  isAskedFor({ memory: { text: memory, speaker: 'Ann' }, text, said });

describe('a correction', () => {
  it.each([
    ['My cat is called Mimi', 'Ann’s cat is called Mia', 'My cat is called Mia, by the way.'],
    ['I live in Berlin', 'The user lives in Hamburg', 'No, it is Hamburg!'],
    ['I have two dogs', 'They have three dogs', 'Actually we have three dogs.'],
    ['I like sushi', 'They do not like sushi', 'I don’t like sushi.'],
    ['Ich wohne in Berlin', 'Ann wohnt in Hamburg', 'Nein, ich wohne jetzt in Hamburg.'],
  ])('of “%s” to “%s” is asked for by “%s”', (memory, text, said) => {
    expect(asked(memory, text, said)).toBe(true);
  });

  it.each([
    ['words that are not theirs', 'My cat is called Mimi', 'Their cat is called Eve', 'My cat is sick.'],
    ['a question', 'I live in Berlin', 'They live in Hamburg', 'Do you think I live in Hamburg?'],
    ['another matter', 'I live in Berlin', 'They are in sick', 'My cat is sick.'],
    ['a word in passing', 'I live in Berlin', 'They love Hamburg', 'The weather is nice.'],
    ['nothing that was said', 'I live in Berlin', 'They live in Hamburg'],
  ])('is not asked for by %s', (_, memory, text, ...said) => {
    expect(asked(memory, text, ...said)).toBe(false);
  });
});

describe('taking back', () => {
  it.each([
    ['I live in Berlin', 'Please forget that I live in Berlin.'],
    ['I live in Berlin', 'Berlin is wrong.'],
    ['I work at the bakery', 'I no longer work at the bakery'],
    ['Ich habe einen Hund', 'Vergiss das mit dem Hund.'],
  ])('“%s” is asked for by “%s”', (memory, said) => expect(asked(memory, null, said)).toBe(true));

  it.each([
    ['I live in Berlin', 'Don’t forget that I live in Berlin!'],
    ['I live in Berlin', 'Did you forget that I live in Berlin?'],
    ['I live in Berlin', 'I live in Berlin.'],
    ['I live in Berlin', 'My cat is wrong about everything.'],
    ['I live in Berlin', 'Forget it.'],
  ])('“%s” is not asked for by “%s”', (memory, said) => expect(asked(memory, null, said)).toBe(false));
});
