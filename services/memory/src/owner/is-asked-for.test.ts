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
    ['I walk 🐶 and 🐱', 'Forget the 🐶.'],
    ['I walk 🐶 and 🐱', 'Please forget all about 🐶!'],
    ['Ich mag 🐶 und 🐱', 'Vergiss bitte das mit dem 🐶.'],
    ['Ich habe einen Hund', 'Vergiss das mit dem Hund.'],
    ['Ich habe einen Hund', 'Vergiss den Hund, den habe ich nicht mehr.'],
    ['Ich habe einen Hund', 'Vergiss den Hund den gibt es nicht'],
    ['J’ai un chien', 'Oublie mon chien.'],
    ['Tengo un perro', 'Olvida a mi perro.'],
    ['Tenho um cachorro', 'Esqueça o meu cachorro.'],
  ])('“%s” is asked for by “%s”', (memory, said) => expect(asked(memory, null, said)).toBe(true));

  it.each([
    ['I live in Berlin', 'Don’t forget that I live in Berlin!'],
    ['I live in Berlin', 'Did you forget that I live in Berlin?'],
    ['I live in Berlin', 'I live in Berlin.'],
    ['I live in Berlin', 'My cat is wrong about everything.'],
    ['I live in Berlin', 'Forget it.'],
    ['I failed my exam 😂', 'Forget the meeting tomorrow 😂'],
    ['I failed my exam 😂', 'Forget it 😂'],
    ['I failed my exam 😂', 'I always forget 😂'],
    ['I love pizza ❤️', 'My cat is wrong about everything ❤️'],
    ['Ich habe einen Hund', 'Vergiss bitte nicht, dass ich einen Hund habe.'],
    ['Ich habe einen Hund', 'Vergiss das mit dem Hund nicht!'],
    ['Ich habe einen Hund', 'Den Hund darfst du nie vergessen.'],
    ['J’ai un chien', 'Ne l’oublie pas, mon chien !'],
    ['J’ai un chien', 'N’oublie jamais mon chien.'],
    ['Tenho um cachorro', 'Não se esqueça que tenho um cachorro.'],
    ['Tengo un perro', 'Nunca olvides que tengo un perro.'],
    ['Tengo un perro', 'No te olvides de mi perro.'],
    ['Tengo un perro', 'No lo borres, mi perro es todo.'],
  ])('“%s” is not asked for by “%s”', (memory, said) => expect(asked(memory, null, said)).toBe(false));
});
