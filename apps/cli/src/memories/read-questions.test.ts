import { describe, expect, it } from '@jest/globals';
import { readQuestions } from './read-questions.js';

const ONE = '{"question":"Where is the key?","words":["under the, \\"blue\\" pot]"]}';
const TWO = '{"question":"Who is Rex?","ids":["aabbccdd"],"person":"019a0000-0000-7000-8000-000000000001"}';

describe('readQuestions', () => {
  it('reads lines, and an array, with the line of each', () => {
    const lines = readQuestions(`${ONE}\n\n${TWO}\n`);
    expect(lines.map(({ question, line }) => [question, line])).toEqual([
      ['Where is the key?', 1],
      ['Who is Rex?', 3],
    ]);
    expect(lines[0]!.words).toEqual(['under the, "blue" pot]']);
    expect(readQuestions(`[\n${ONE},\n${TWO}\n]\n`).map(({ line }) => line)).toEqual([2, 3]);
  });

  it.each([
    ['no json', 'line 2: is not JSON'],
    ['{"question":"x"}', 'line 2: give words or ids'],
    ['{"question":"","words":["x"]}', 'line 2: question: '],
    ['{"question":"x","words":["x"],"colour":"red"}', 'line 2: '],
    ['{"question":"x","words":["x"],"person":"Ann"}', 'line 2: person: '],
  ])('names the line of %s', (bad, problem) => {
    expect(() => readQuestions(`${ONE}\n${bad}`)).toThrow(problem);
    expect(() => readQuestions(`[${ONE},\n${bad}]`)).toThrow(problem);
  });

  it.each([
    ['', 'no questions'],
    ['[]', 'no questions'],
    [`[${ONE},\n`, 'line 2: the array does not end'],
    [`[${ONE}]\nmore`, 'line 2: something stands behind the array'],
  ])('refuses %j', (text, problem) => {
    expect(() => readQuestions(text)).toThrow(problem);
  });
});
