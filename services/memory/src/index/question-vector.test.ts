import { describe, expect, it } from '@jest/globals';
import { questionTexts, questionVector } from './question-vector.js';

describe('the vector of a question', () => {
  it('is of its words as asked and as a statement', () => {
    expect(questionTexts('Does Ann like tea?')).toEqual(['Does Ann like tea?', 'Ann like tea']);
    expect(questionTexts('tea')).toEqual(['tea']);
  });

  it('lies between both, at unit length', () => {
    const [x, y] = questionVector([Float32Array.of(1, 0), Float32Array.of(0, 1)]);
    expect(Math.hypot(x!, y!)).toBeCloseTo(1, 5);
    expect(y! / x!).toBeCloseTo(0.35 / 0.65, 5);
    expect(questionVector([Float32Array.of(1, 0)])).toEqual(Float32Array.of(1, 0));
  });
});
