import { present } from '@kith/contracts';
import type { Terminal } from '../terminal/terminal.js';
import { tableLines } from '../terminal/table-lines.js';

/** Result of one check. `off` is neither good nor bad: not used, or not visible from here. */
export interface Finding {
  name: string;
  state: 'ok' | 'broken' | 'off';
  detail: string;
  /** One line that says how to fix it, or how to turn it on. */
  mend?: string;
}

export function ok(name: string, detail: string): Finding {
  return { name, state: 'ok', detail };
}

export function broken(name: string, detail: string, mend: string): Finding {
  return { name, state: 'broken', detail, mend };
}

export function off(name: string, detail: string, mend?: string): Finding {
  return { name, state: 'off', detail, ...(mend !== undefined && { mend }) };
}

const MARKS: Record<Finding['state'], string> = { ok: '✓', broken: '✗', off: '–' };

/** Prints findings as a table, and what to do below those that need it. */
export function showFindings(terminal: Terminal, findings: readonly Finding[]): void {
  const lines = tableLines(
    findings,
    [
      { header: '', value: ({ state }) => MARKS[state] },
      { header: '', value: ({ name }) => name },
      { header: '', value: ({ detail }) => detail, flexible: true },
    ],
    terminal.columns,
  ).slice(1);
  lines.forEach((line, index) => {
    const { state, mend } = present(findings[index]);
    terminal.line(state === 'ok' ? line : state === 'broken' ? terminal.red(line) : terminal.dim(line));
    if (mend && state !== 'ok') terminal.line(`     → ${mend}`);
  });
}

/** Puts an error into a few words. */
export function reasonOf(error: unknown): string {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: unknown };
  return message || code || (cause ? reasonOf(cause) : 'no answer');
}
