import { displayWidth, fitText, printableLine } from './display-text.js';

export interface Column<Row> {
  header: string;
  value: (row: Row) => string;
  align?: 'left' | 'right';
  /** True where it takes the width that the others leave, and is cut to fit. Several share that width. */
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
  const isFlexible = (n: number) => columns[n]?.flexible ?? false;
  let room = terminalColumns - GAP.length * (columns.length - 1);
  for (const [n, width] of widths.entries()) if (!isFlexible(n)) room -= width;
  // The narrowest first: the others get the rest of its share.
  const flexible = [...widths.keys()]
    .filter(isFlexible)
    .toSorted((a, b) => (widths[a] ?? 0) - (widths[b] ?? 0));
  for (const [at, n] of flexible.entries()) {
    const share = Math.floor(room / (flexible.length - at));
    const width = Math.min(widths[n] ?? 0, Math.max(MIN_FLEXIBLE, share));
    widths[n] = width;
    room -= width;
  }
  const fitting = columns.map(({ align = 'left' }, n) => ({ align, width: widths[n] ?? 0 }));
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
