import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { embedLexically } from './embed-lexically.js';

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0);
const nearness = (query: string, text: string) =>
  dot(embedLexically(query, 'query'), embedLexically(text, 'document'));

describe('the lexical embedder', () => {
  it('gives the same vector for the same text, and unit length for any text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
        for (const purpose of ['query', 'document'] as const) {
          const vector = embedLexically(text, purpose);
          expect(vector).toEqual(embedLexically(text, purpose));
          expect(dot(vector, vector)).toBeCloseTo(1, 5);
        }
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['What is my dog called?', 'My dog Rex loves the beach', 'The weather in Berlin was cold'],
    ['when did she paint the sunrise', 'I painted that lake sunrise last year', 'We had pasta for dinner'],
    ['Where is the cafe?', 'The Café on the corner', 'The bridge on the river'],
    ['her favourite book', 'Her favorite books are by Ursula Le Guin', 'Her car broke down again'],
    ['我的狗叫什么名字', '我有一只狗，它的名字叫小白', '今天天气很好'],
    ['🎉🎉', '🎉', '😢'],
  ])('finds for %p rather %p than %p', (query, near, far) => {
    expect(nearness(query, near)).toBeGreaterThan(nearness(query, far));
  });

  it('does not let small talk win over a story that says more', () => {
    const story = 'Last July I went camping in the mountains with my kids and we saw the Perseids';
    expect(nearness('When did you go camping?', story)).toBeGreaterThan(
      nearness('When did you go camping?', 'When did you go?'),
    );
  });

  it('holds documents that differ by a few words to be nearly the same', () => {
    const one = embedLexically('I love my dog Rex so much', 'document');
    const two = embedLexically('I love my dog Rex', 'document');
    const other = embedLexically('The weather in Berlin was cold', 'document');
    expect(dot(one, two)).toBeGreaterThan(0.6);
    expect(dot(one, other)).toBeLessThan(0.2);
  });

  it('cannot drift: stored vectors depend on these numbers', () => {
    const vector = embedLexically('The quick brown fox', 'document');
    const strongest = [...vector.keys()].sort((a, b) => Math.abs(vector[b]!) - Math.abs(vector[a]!));
    expect(strongest.slice(0, 6).map((index) => [index, vector[index]!.toFixed(4)])).toMatchInlineSnapshot(`
     [
       [
         458,
         "0.4427",
       ],
       [
         474,
         "-0.4427",
       ],
       [
         480,
         "-0.4427",
       ],
       [
         497,
         "0.4427",
       ],
       [
         335,
         "0.2214",
       ],
       [
         340,
         "-0.2214",
       ],
     ]
    `);
  });
});
