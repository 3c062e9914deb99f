import type { Command } from '@commander-js/extra-typings';
import { JSON_FLAG } from '../input/options.js';
import type { CommandContext } from '../suite/command-context.js';
import type { NodeHere } from './machine-checks.js';
import { doctor } from './doctor.js';

/** Adds the command that checks everything Kith needs. */
export function addDoctorCommand(
  program: Command,
  context: () => CommandContext,
  { node, fail }: { node: NodeHere; fail: () => void },
): void {
  program
    .command('doctor')
    .description('check every dependency and setting, and say how to fix each')
    .option(...JSON_FLAG)
    .option('--short', 'only what is off or broken')
    .action(async (options) => {
      if (!(await doctor(context(), { node, ...options }))) fail();
    });
}
