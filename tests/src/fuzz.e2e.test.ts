import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

describe('what nobody should send', () => {
  it('is refused in order, keeps nobody waiting and ends no service, at every route and door', async () => {
    const script = join(import.meta.dirname, '../fuzz/run.ts');
    const amounts = ['--seed', '14', '--requests', '800', '--messages', '60', '--seconds', '60'];
    // The checks run beside it: what takes a second alone may take three.
    const patience = ['--longest-wait-ms', '15000', '--placement', 'together'];
    const run = spawn(process.execPath, [script, ...amounts, ...patience], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    let output = '';
    run.stdout.on('data', (text) => (output += String(text)));
    const [code] = (await once(run, 'exit')) as [number | null];
    if (code !== 0) throw new Error(output);
    expect(output).toMatch(/^\d{3,} requests, \d+ hostile messages, .* 0 faults, 0 problems$/m);
  }, 240_000);
});
