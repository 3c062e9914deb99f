import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

describe('the fault harness', () => {
  it.each([
    ['apart', '11'],
    ['together', '8'],
  ])(
    'finds no breach in a short round of every sort of fault, with services placed %s',
    async (placement, rounds) => {
      const amounts = ['--rounds', rounds, '--seed', '11', '--spread', '--placement', placement];
      const run = spawn(process.execPath, [join(import.meta.dirname, '../faults/run.ts'), ...amounts], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      let output = '';
      run.stdout.on('data', (text) => (output += String(text)));
      const [code] = (await once(run, 'exit')) as [number | null];
      if (code !== 0) throw new Error(output);
      expect(output).toContain(`${rounds} rounds, `);
      expect(output).toContain(' 0 breaches');
    },
    240_000,
  );
});
