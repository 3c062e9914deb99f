import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { countQuestions, FORGETTING_KINDS, planForgettings } from '../canary/forgetting-kinds.ts';

const PEOPLE = 20;
/** Three secrets each. */
const SECRETS = 60;
const QUESTIONS_OF_OTHERS = 100;

describe('what people tell', () => {
  it('is told to nobody else, and to nobody once it is forgotten, at any door, however they ask', async () => {
    // Each way to forget once.
    const forgettings = FORGETTING_KINDS.length;
    const questions = countQuestions(planForgettings(forgettings));
    const run = spawn(
      process.execPath,
      [
        join(import.meta.dirname, '../canary/run.ts'),
        ...['--people', `${PEOPLE}`, '--questions', `${QUESTIONS_OF_OTHERS + questions}`],
        ...['--forgettings', `${forgettings}`, '--seed', '5', '--placement', 'together'],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
    );
    let output = '';
    run.stdout.on('data', (text) => (output += String(text)));
    const [code] = (await once(run, 'exit')) as [number | null];
    if (code !== 0) throw new Error(output);
    const [counts] = output.trim().split('\n').slice(-1);
    expect(counts).toMatch(
      new RegExp(`^${SECRETS + QUESTIONS_OF_OTHERS} messages, [1-9][0-9]* prompts with secrets in them, `),
    );
    expect(counts).toContain(`${forgettings} words forgotten, ${questions} questions for them, 0 breaches`);
  }, 300_000);
});
