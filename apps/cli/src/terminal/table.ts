import { displayWidth, fitText, oneLine } from './display-text.js';

export interface Column<Row> {
  header: string;
  value: (row: Row) => string;
  align?: 'left' | 'right';
  /** Takes what the others leave, and is shortened when that is little. At most one per table. */
  flexible?: boolean;
}

const GAP = '  ';
/** A column narrower than this shows nothing anyone could read; then lines run over instead. */
const MIN_FLEXIBLE = 16;

/** Lines of a table that fits so many terminal columns; the header comes first. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  terminalColumns: number,
): string[] {
  const cells = [
    columns.map(({ header }) => header),
    ...rows.map((row) => columns.map(({ value }) => oneLine(value(row)))),
  ];
  const widths = columns.map((_, column) => Math.max(...cells.map((line) => displayWidth(line[column]!))));
  const flexible = columns.findIndex((column) => column.flexible);
  if (flexible >= 0) {
    const others = widths.reduce(
      (sum, width, column) => (column === flexible ? sum : sum + width + GAP.length),
      0,
    );
    widths[flexible] = Math.min(widths[flexible]!, Math.max(MIN_FLEXIBLE, terminalColumns - others));
  }
  return cells.map((line) =>
    line
      .map((cell, column) => pad(fitText(cell, widths[column]!), widths[column]!, columns[column]!.align))
      .join(GAP)
      .trimEnd(),
  );
}

function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + space : space + text;
}
