import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

describe('the fault harness', () => {
  it('finds no breach in a short round of every sort of fault', async () => {
    const run = spawn(
      process.execPath,
      [join(import.meta.dirname, '../faults/run.ts'), '--rounds', '15', '--seed', '11', '--spread'],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
    );
    let output = '';
    run.stdout.on('data', (text) => (output += String(text)));
    const [code] = (await once(run, 'exit')) as [number | null];
    if (code !== 0) throw new Error(output);
    expect(output).toContain('15 rounds, ');
    expect(output).toContain(' 0 breaches');
  }, 240_000);
});
