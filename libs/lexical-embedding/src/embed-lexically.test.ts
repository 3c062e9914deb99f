import { describe, expect, it } from '@jest/globals';
import { bestMsOf } from '@kith/testing';
import fc from 'fast-check';
import { embedLexically } from './embed-lexically.js';

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, index) => sum + value * b[index]!, 0);
const nearness = (query: string, text: string) => dot(embedLexically(query), embedLexically(text));

describe('the offline embedder', () => {
  it('gives the same vector for the same text, and unit length for any text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (text) => {
        const vector = embedLexically(text);
        expect(vector).toEqual(embedLexically(text));
        expect(dot(vector, vector)).toBeCloseTo(1, 5);
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
    ['cofee', 'I never drink coffee after noon', 'I never drink milk after noon'],
    ['Kasparovsky', 'I met Kasparowsky at the airport', 'I met Wilhelmina at the airport'],
  ])('finds for %p rather %p than %p', (query, near, far) => {
    expect(nearness(query, near)).toBeGreaterThan(nearness(query, far));
  });

  it.each([
    ['Do I have a pet?', 'Rex is a puppy, half terrier', 'The train to Leeds was late'],
    ['What do I do for work?', 'My employer promoted me to senior nurse', 'We hiked along the coast'],
    ['Which meal did I cook?', 'I baked lasagne with spinach', 'The judge adjourned the trial'],
    [
      'Is anyone in my family ill?',
      'Grandma was taken to hospital with pneumonia',
      'The bicycle needs a tyre',
    ],
  ])('finds for %p by meaning rather %p than %p', (query, near, far) => {
    expect(nearness(query, near)).toBeGreaterThan(nearness(query, far) + 0.1);
  });

  it('holds texts that differ by a few words to be nearly the same', () => {
    expect(nearness('I love my dog Rex so much', 'I love my dog Rex')).toBeGreaterThan(0.8);
    expect(nearness('I love my dog Rex so much', 'The weather in Berlin was cold')).toBeLessThan(0.2);
  });

  it('reads a hostile text in time that grows with what it reads, to a bound', () => {
    const texts = [
      Array.from({ length: 200_000 }, (_, n) => `w${n}`).join(' '),
      'ﷺ'.repeat(1_000_000),
      'a'.repeat(1_000_000),
      '\ud83d'.repeat(1_000_000),
      'dog '.repeat(500_000),
    ];
    for (const text of texts) {
      // Some 30 ms for the worst, ten times as long where the tests are compiled.
      expect(bestMsOf(() => embedLexically(text), 500)).toBeLessThan(500);
    }
    expect(embedLexically(`${'dog '.repeat(2_000)}and a cat`)).toEqual(embedLexically('dog '.repeat(2_000)));
  });

  it('cannot drift: stored vectors depend on these numbers', () => {
    const vector = embedLexically('The quick brown fox');
    const strongest = [...vector.keys()].sort((a, b) => Math.abs(vector[b]!) - Math.abs(vector[a]!));
    const told = strongest.slice(0, 8).map((index) => `${index}: ${vector[index]!.toFixed(4)}`);
    expect(told).toMatchInlineSnapshot(`
     [
       "281: 0.2913",
       "20: -0.2640",
       "207: 0.2640",
       "332: -0.2243",
       "104: 0.2112",
       "320: 0.1926",
       "300: -0.1625",
       "311: -0.1515",
     ]
    `);
  });
});
