import { describe, expect, it } from '@jest/globals';
import { analyseText } from '../words/analyse-text.js';
import { findAnswers } from './find-answers.js';

const BEGIN = Date.parse('2026-06-01T12:00:00Z');
let said = 0;
const line = (speaker: string, text: string, minute: number, conversation: string | null = 'one') => ({
  id: String((said += 1)),
  speaker,
  text,
  conversation,
  saidAt: new Date(BEGIN + minute * 60_000),
});
const question = { terms: analyseText('What is the dog called?'), about: ['Ann', 'nightowl'] };
const answersTo = (...lines: ReturnType<typeof line>[]) =>
  [...findAnswers(lines, question)].map(([id, share]) => [lines.find((each) => each.id === id)!.text, share]);

describe('answers among what was found', () => {
  it('are what the one who is asked about said right after such a question', () => {
    for (const name of ['Ann', 'nightowl'])
      expect(answersTo(line('Ben', 'What is your dog called?', 0), line(name, 'Biscuit!', 1))).toEqual([
        ['Biscuit!', 1],
      ]);
  });

  it('count by the share of the asked words in that question', () => {
    expect(
      answersTo(line('Ben', 'Nice! Is it a dog? [shares a photo]', 0), line('Ann', 'It is.', 1)),
    ).toEqual([['It is.', 0.5]]);
  });

  it.each([
    ['to themselves', [line('nightowl', 'What is the dog called?', 0), line('Ann', 'Rex', 1)]],
    ['said by another', [line('Ann', 'What is the dog called?', 0), line('Ben', 'Rex', 1)]],
    ['after what does not ask', [line('Ben', 'A dog? I am called away.', 0), line('Ann', 'Bye', 1)]],
    ['long after', [line('Ben', 'What is the dog called?', 0), line('Ann', 'Hi!', 10)]],
    ['elsewhere', [line('Ben', 'What is the dog called?', 0), line('Ann', 'Hi!', 1, 'two')]],
    ['in no conversation', [line('Ben', 'The dog?', 0, null), line('Ann', 'Hi!', 1, null)]],
  ])('are not %s', (_, lines) => {
    expect(answersTo(...lines)).toEqual([]);
  });
});
