import { CommanderError } from '@commander-js/extra-typings';
import { CliError, Interrupted } from './input/cli-error.js';
import { buildProgram, type ProgramParts } from './build-program.js';

/** Runs one command line; returns the exit code: 0 well, 1 went wrong, 2 called wrongly, past 128 ended by a signal. */
export async function run(args: readonly string[], parts: Omit<ProgramParts, 'fail'> & { version: string }) {
  const { terminal } = parts;
  // Not an option of the program, which would take over that of `companion show`.
  if (args.length === 1 && args[0] === '--version') {
    terminal.line(parts.version);
    return 0;
  }
  let exitCode = 0;
  const program = buildProgram({ ...parts, fail: () => (exitCode = 1) });
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands }) => commands),
  ]) {
    command
      .exitOverride()
      .configureOutput({
        writeOut: (text) => terminal.write(text),
        writeErr: (text) => terminal.problem(text),
      });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    terminal.stopWaiting();
    // Commander has already said what is wrong. Help ends this way too, with code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof Interrupted) {
      terminal.line();
      return error.exitCode;
    }
    if (error instanceof CliError) {
      terminal.problem(`kith: ${error.message}\n`);
      return error.exitCode;
    }
    terminal.problem(`kith: a bug: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
