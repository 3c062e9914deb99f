import { describe, expect, it } from '@jest/globals';
import { readQuestion } from './read-question.js';

const read = (said: string) => readQuestion(said, ['Melanie', 'Caroline Fox']);

describe('a question', () => {
  it.each([
    ['Who plays the cello?', 'person'],
    ['When did I move?', 'time'],
    ['What day is my exam?', 'time'],
    ['where do i live', 'place'],
    ['Which city am I from?', 'place'],
    ['How many brothers do I have?', 'count'],
    ['How long have I been here?', 'duration'],
    ['Why did I leave?', 'reason'],
    ['what food do i dislike', 'thing'],
    ['Do I like olives?', 'yes-or-no'],
    ['Do you remember where I live?', 'place'],
    ['Do you remember my dog?', 'tell'],
    ['Tell me about my dog', 'tell'],
    ['So, Mira, who is Mona?', 'person'],
    ['I had a long day. When is my exam?', 'time'],
  ])('reads what %j wants: %s', (said, wants) => {
    expect(read(said)?.wants).toBe(wants);
  });

  it.each([
    'I hate cilantro',
    'What a lovely day',
    'What a day!',
    'When I was a child I lived in Rome',
    'Remember that I love jazz',
    'Have a nice evening',
    'ok',
    '',
  ])('is none in %j', (said) => {
    expect(read(said)).toBeNull();
  });

  it('knows whom it asks about', () => {
    expect(read('Where do I live?')?.about).toBe('asker');
    expect(read('What is your favourite colour?')?.about).toBe('companion');
    expect(read('Where does Mel live?')?.about).toEqual({ name: 'Melanie' });
    expect(read('What did Caroline paint?')?.about).toEqual({ name: 'Caroline Fox' });
    expect(read('What is the capital of France?')?.about).toBeNull();
  });

  it('counts the word that only names the sort of answer for less', () => {
    const terms = read('What food do I dislike?')!.terms;
    expect([terms.get('food'), terms.get('dislik')]).toEqual([0.3, 1]);
  });
});
