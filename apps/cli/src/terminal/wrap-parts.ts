import { displayWidth } from './display-text.js';

/** Joins parts into lines that fit so many terminal columns; a part that is longer than a line has one of its own. */
export function wrapParts(
  parts: readonly string[],
  columns: number,
  { indent = 0, by = ' · ' }: { indent?: number; by?: string } = {},
): string[] {
  const margin = ' '.repeat(indent);
  const lines: string[] = [];
  let line: string | undefined;
  for (const part of parts) {
    const longer: string = line === undefined ? margin + part : line + by + part;
    if (line !== undefined && displayWidth(longer) > columns) {
      lines.push(line);
      line = margin + part;
    } else line = longer;
  }
  return line === undefined ? lines : [...lines, line];
}
