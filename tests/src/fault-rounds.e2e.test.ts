import { describe, expect, it } from '@jest/globals';
import { runScript } from './run-script.js';

describe('the fault harness', () => {
  it.each([
    ['apart', '15'],
    ['together', '8'],
  ])(
    'finds no breach in a short round of every sort of fault, with services placed %s',
    async (placement, rounds) => {
      const amounts = ['--rounds', rounds, '--seed', '11', '--spread', '--placement', placement];
      const output = await runScript('faults/run.ts', amounts);
      expect(output).toContain(`${rounds} rounds, `);
      expect(output).toContain(' 0 breaches');
    },
    240_000,
  );
});
