import { describe, expect, it } from '@jest/globals';
import { runScript } from './run-script.js';

describe('what nobody should send', () => {
  it('is refused in order, keeps nobody waiting and ends no service, at every route and door', async () => {
    const amounts = ['--seed', '14', '--requests', '800', '--messages', '60', '--seconds', '60'];
    // The checks run beside it: what takes a second alone may take three.
    const patience = ['--longest-wait-ms', '15000'];
    const output = await runScript('fuzz/run.ts', [...amounts, ...patience, '--placement', 'together']);
    expect(output).toMatch(/^\d{3,} requests, \d+ hostile messages, .* 0 faults, 0 problems$/m);
  }, 240_000);
});
