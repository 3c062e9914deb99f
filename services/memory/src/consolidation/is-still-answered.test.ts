import { describe, expect, it } from '@jest/globals';
import { isStillAnswered, questionsOf } from './is-still-answered.js';

describe('the questions of a memory', () => {
  it('leave out each telling word once', () => {
    expect(questionsOf('I bake rye bread', 'I bake rye bread!')).toEqual(
      [
        { question: 'i rye bread', answer: 'bake' },
        { question: 'i bake rye', answer: 'bread' },
        { question: 'i bake bread', answer: 'rye' },
      ].toSorted((a, b) => b.answer.length - a.answer.length),
    );
    expect(questionsOf('hello', '')).toEqual([]);
  });
});

describe('a memory may go', () => {
  const left =
    (...texts: string[]) =>
    () =>
      Promise.resolve(texts.map((text) => ({ text })));

  it('when what is left says all it says', async () => {
    const ask = left('My sister baked the rye bread!');
    expect(await isStillAnswered('My sister bakes rye bread', '', ask)).toBe(true);
  });

  it('but not for a short word among many long ones that what is kept in its place lacks', async () => {
    const said = (town: string) =>
      `Yesterday afternoon grandmother telephoned because somebody discovered valuable paintings underneath wooden floorboards somewhere in ${town}`;
    expect(await isStillAnswered(said('Graz'), said('Bonn'), left(said('Bonn')))).toBe(false);
    expect(await isStillAnswered(said('Graz'), said('Bonn'), left(said('Bonn'), said('Graz')))).toBe(true);
  });

  it('but not for a single word that nothing else says, or that comes too late', async () => {
    expect(await isStillAnswered('My sister bakes rye bread', '', left('My brother bakes rye bread'))).toBe(
      false,
    );
    const late = left('a', 'b', 'c', 'd', 'e', 'My sister bakes rye bread');
    expect(await isStillAnswered('My sister bakes rye bread', '', late)).toBe(false);
  });
});
