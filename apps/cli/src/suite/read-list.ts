import type { Column } from '../terminal/table-lines.js';
import type { Terminal } from '../terminal/terminal.js';

/** Entries of one request: as many as the API gives. */
export const MAX_PAGE = 200;

/** Reads the first `limit` entries of a list, page by page, into one answer like those of the API. */
export async function readList<
  Name extends string,
  Answer extends Record<Name, unknown[]> & { nextCursor: string | null },
>(
  name: Name,
  limit: number,
  readPage: (query: { limit: number; cursor: string | undefined }) => Promise<Answer>,
): Promise<Answer> {
  const entries: unknown[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await readPage({ limit: Math.min(limit - entries.length, MAX_PAGE), cursor });
    entries.push(...page[name]);
    if (page.nextCursor === null || entries.length >= limit) return { ...page, [name]: entries };
    cursor = page.nextCursor;
  }
}

/** Prints a list that was read as a table, and says where it goes on; with `json` all of it, and `none` where it is empty. */
export function printList<Name extends string, Entry>(
  terminal: Terminal,
  name: Name,
  list: Record<Name, readonly Entry[]> & { nextCursor: string | null },
  { json, none, below }: { json: boolean | undefined; none: string; below?: string },
  columns: readonly Column<Entry>[],
): void {
  if (json) return terminal.json(list);
  if (list[name].length === 0) return terminal.note(none);
  terminal.table(list[name], columns);
  if (below !== undefined) terminal.note(below);
  if (list.nextCursor !== null) terminal.note('there are more: say with --limit how many to show');
}

/** Says of a list without further pages that it may go on: it has as many entries as were asked for. */
export function tellFull(terminal: Terminal, shown: number, limit: number): void {
  if (shown < limit) return;
  const hint = limit < MAX_PAGE ? `: --limit shows up to ${MAX_PAGE}` : '';
  terminal.note(`there may be more than these ${shown}${hint}`);
}
