import type { Terminal } from './terminal.js';

/** Says that a list goes on beyond what was asked for. */
export function tellMore(terminal: Terminal, { nextCursor }: { nextCursor: string | null }): void {
  if (nextCursor !== null) terminal.note('there are more: --limit shows up to 200');
}
