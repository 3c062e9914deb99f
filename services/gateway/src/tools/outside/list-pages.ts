import type { z } from 'zod';
import { listedTools, MAX_LISTED, type ListResult } from './mcp-results.js';
import type { ListedTool } from './mcp-tools.js';

/** Pages of a list that are read: a server has its tools on one or two, and each may take 10 MB and a minute. */
const MAX_PAGES = 10;

/** A server's list of tools, as far as it was read. */
export interface ToolList {
  tools: ListedTool[];
  /** Entries that were left out: no tools, duplicates, or too many. */
  leftOut: number;
  /** True where the list goes on after what was read. */
  isCut: boolean;
}

/**
 * Reads a list page by page: to its end, to the most tools that are looked at, or to a page that fails. A cursor
 * that is repeated ends it, too.
 * @param ask asks for a page; null where the server refuses its own cursor
 */
export async function listPages(
  ask: (cursor: string | undefined) => Promise<z.output<typeof ListResult> | null>,
): Promise<ToolList> {
  // A server that ignores cursors gives the same page again, and no model takes two tools of one name.
  const tools = new Map<string, ListedTool>();
  /** Cursors that were followed, or are about to be. */
  const seen = new Set<string>();
  let listed = 0;
  let cursor: string | undefined;
  do {
    const page = await ask(cursor);
    if (page === null) break;
    for (const tool of listedTools(page, MAX_LISTED - listed))
      if (!tools.has(tool.name)) tools.set(tool.name, tool);
    listed += page.tools.length;
    cursor = page.nextCursor;
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
  } while (seen.size < MAX_PAGES && listed < MAX_LISTED);
  return { tools: [...tools.values()], leftOut: listed - tools.size, isCut: cursor !== undefined };
}
