import { displayWidth, fitText, printableLine } from './display-text.js';

export interface Column<Row> {
  header: string;
  value: (row: Row) => string;
  align?: 'left' | 'right';
  /** Takes what the others leave, and is shortened when that is little. At most one per table. */
  flexible?: boolean;
}

const GAP = '  ';
/** Narrower than this a column can't be read: lines overflow instead. */
const MIN_FLEXIBLE = 16;

/** Lines of a table that fits so many terminal columns; the header comes first. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  terminalColumns: number,
): string[] {
  const cells = [
    columns.map(({ header }) => header),
    ...rows.map((row) => columns.map(({ value }) => printableLine(value(row)))),
  ];
  const widths = columns.map((_, n) => Math.max(...cells.map((line) => displayWidth(line[n] ?? ''))));
  const all = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length);
  const flexible = columns.findIndex((column) => column.flexible);
  const fitting = columns.map(({ align = 'left' }, n) => {
    const width = widths[n] ?? 0;
    if (n !== flexible) return { align, width };
    return { align, width: Math.min(width, Math.max(MIN_FLEXIBLE, terminalColumns - (all - width))) };
  });
  return cells.map((line) =>
    fitting
      .map(({ align, width }, n) => pad(fitText(line[n] ?? '', width), width, align))
      .join(GAP)
      .trimEnd(),
  );
}

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - displayWidth(text)));
  return align === 'left' ? text + space : space + text;
}
