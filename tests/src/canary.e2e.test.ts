import { describe, expect, it } from '@jest/globals';
import { countQuestions, FORGETTING_KINDS, planForgettings } from '../canary/forgetting-kinds.ts';
import { runScript } from './run-script.js';

const PEOPLE = 20;
/** Three secrets each. */
const SECRETS = 60;
const QUESTIONS_OF_OTHERS = 100;

describe('what people tell', () => {
  it('is told to nobody else, and to nobody once it is forgotten, at any door, however they ask', async () => {
    // Each way to forget once.
    const forgettings = FORGETTING_KINDS.length;
    const questions = countQuestions(planForgettings(forgettings));
    const output = await runScript('canary/run.ts', [
      '--people',
      `${PEOPLE}`,
      '--questions',
      `${QUESTIONS_OF_OTHERS + questions}`,
      '--forgettings',
      `${forgettings}`,
      '--seed',
      '5',
      '--placement',
      'together',
    ]);
    const [counts] = output.trim().split('\n').slice(-1);
    expect(counts).toMatch(
      new RegExp(`^${SECRETS + QUESTIONS_OF_OTHERS} messages, [1-9][0-9]* prompts with secrets in them, `),
    );
    expect(counts).toContain(`${forgettings} words forgotten, ${questions} questions for them, 0 breaches`);
  }, 300_000);
});
