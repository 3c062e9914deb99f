import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Placement } from '@kith/embedded';

/**
 * Runs one of the scripts beside this folder to its end, as an operator would by hand. Returns what it printed.
 * @param script from the tests' folder, such as `faults/run.ts`
 * @throws Error with all it printed, when it did not end with 0
 */
export async function runScript(script: string, args: readonly string[]): Promise<string> {
  const run = spawn(process.execPath, [join(import.meta.dirname, '..', script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  let output = '';
  run.stdout.on('data', (text) => (output += String(text)));
  const [code] = (await once(run, 'exit')) as [number | null];
  if (code !== 0) throw new Error(output);
  return output;
}

/** Plays so many rounds of faults, one of each sort in turn. Returns what it printed, which says how many there were. */
export async function playFaultRounds(placement: Placement, rounds: number): Promise<string> {
  const output = await runScript('faults/run.ts', [
    '--rounds',
    `${rounds}`,
    '--seed',
    '11',
    '--spread',
    '--placement',
    placement,
  ]);
  if (!output.includes(`${rounds} rounds, `)) throw new Error(output);
  return output;
}
