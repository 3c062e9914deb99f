import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

describe('what people tell', () => {
  it('is told to nobody else, at any door, however they ask', async () => {
    const run = spawn(
      process.execPath,
      [
        join(import.meta.dirname, '../canary/run.ts'),
        '--people',
        '20',
        '--questions',
        '150',
        '--forgettings',
        '0',
        '--seed',
        '5',
      ],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
    );
    let output = '';
    run.stdout.on('data', (text) => (output += String(text)));
    const [code] = (await once(run, 'exit')) as [number | null];
    if (code !== 0) throw new Error(output);
    expect(output).toMatch(
      /^210 messages, [1-9]\d* prompts with secrets in them, 0 words forgotten, 0 questions for them, 0 breaches$/m,
    );
  }, 240_000);
});
