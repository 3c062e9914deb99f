import type { Terminal } from '../terminal/terminal.js';
import { CliError } from './cli-error.js';

/**
 * Does the same to each, past those that fail and though nobody reads the output any more.
 * @throws CliError that names each failure; the others are done
 */
export async function tryEach<T>(
  terminal: Terminal,
  items: readonly T[],
  nameOf: (item: T) => string,
  act: (item: T) => Promise<void>,
): Promise<void> {
  terminal.finishUnread();
  const failures: string[] = [];
  for (const item of items) {
    try {
      await act(item);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      failures.push(`${nameOf(item)}: ${error.message}`);
    }
  }
  if (failures.length === 0) return;
  if (items.length > 1) failures.push(`${failures.length} of ${items.length} failed; the others are done`);
  throw new CliError(failures.join('\n'));
}
