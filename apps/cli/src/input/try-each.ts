import type { Terminal } from '../terminal/terminal.js';
import { CliError, Interrupted } from './cli-error.js';

/**
 * Does the same to each item, also after failures and when nobody reads the output any more. If it is stopped, as by
 * Ctrl-C, it says which failed and which remain.
 * @throws CliError that names each failure, and that the output could not be written; the others are done
 */
export async function tryEach<T>(
  terminal: Terminal,
  items: readonly T[],
  nameOf: (item: T) => string,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const failures: string[] = [];
  /** 2 while each that failed was named wrongly. */
  let exitCode: 1 | 2 = 2;
  await terminal.finishUnread(async () => {
    for (const [index, item] of items.entries()) {
      try {
        await act(item);
      } catch (error) {
        if (!(error instanceof CliError)) {
          // The unanswered question is still on this line.
          if (error instanceof Interrupted) terminal.line();
          const [begun, ...remaining] = items.slice(index).map(nameOf);
          const rest = remaining.map((name) => `not begun: ${name}`);
          terminal.note([...failures, `broke off at ${begun}`, ...rest].join('\n'));
          throw error;
        }
        failures.push(`${nameOf(item)}: ${error.message}`);
        if (error.exitCode === 1) exitCode = 1;
      }
    }
  });
  const failed = failures.length;
  if (failed > 0 && items.length > 1)
    failures.push(
      `${failed} of ${items.length} failed${failed < items.length ? '; the others are done' : ''}`,
    );
  if (terminal.unwritten) {
    failures.push(`the output could not be written: ${terminal.unwritten.message}`);
    exitCode = 1;
  }
  if (failures.length > 0) throw new CliError(failures.join('\n'), exitCode);
}
