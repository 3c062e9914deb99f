import { z } from 'zod';

/** Pages of a list that are read: a server has its tools on one or two, and each may take 10 MB and a minute. */
const MAX_PAGES = 10;
/** Tools of a list that are looked at: several times as many as are taken. */
const MAX_LISTED = 200;
/** Parts of a result that are told: each takes a line, and a model is told 4,000 characters. */
const MAX_PARTS = 2_000;

/** Tool as a server lists it. */
const Listed = z.object({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
});
export type ListedTool = z.infer<typeof Listed>;
const Part = z.object({
  type: z.string(),
  text: z.string().optional(),
  /** A file within the result: many servers answer with that alone. One that is no text has a `blob` instead. */
  resource: z.object({ text: z.string() }).optional().catch(undefined),
  /** Address that a link leads to. */
  uri: z.string().optional().catch(undefined),
});

/**
 * Results of a server, read as far as they are used. The library's own schemas tell every mistake of every part, which
 * takes gigabytes for a list of a million empty ones, and it checks `structuredContent` with the server's own patterns.
 */
export const ListResult = z.looseObject({
  tools: z.array(z.unknown()),
  /** Cursor of the next page; a wrong one ends the list. */
  nextCursor: z.string().optional().catch(undefined),
});
export const McpCallResult = z.looseObject({
  content: z.array(z.unknown()).default([]),
  isError: z.boolean().default(false),
});

/**
 * Reads a list page by page: to its end, to the most tools that are looked at, or to a page that fails. A cursor
 * that is repeated ends it, too.
 * @param ask asks for a page; null where the server refuses its own cursor
 */
export async function listPages(
  ask: (cursor: string | undefined) => Promise<z.output<typeof ListResult> | null>,
) {
  // A server that ignores cursors gives the same page again, and no model takes two tools of one name.
  const tools = new Map<string, ListedTool>();
  /** Cursors that were followed, or are about to be. */
  const seen = new Set<string>();
  let listed = 0;
  let cursor: string | undefined;
  do {
    const page = await ask(cursor);
    if (page === null) break;
    for (const given of page.tools.slice(0, MAX_LISTED - listed)) {
      const { data } = Listed.safeParse(given);
      if (data && !tools.has(data.name)) tools.set(data.name, data);
    }
    listed += page.tools.length;
    cursor = page.nextCursor;
    if (cursor === undefined || seen.has(cursor)) break;
    seen.add(cursor);
  } while (seen.size < MAX_PAGES && listed < MAX_LISTED);
  // Left out are entries that are no tools, duplicates, or too many; cut is a list that goes on after what was read.
  return { tools: [...tools.values()], leftOut: listed - tools.size, isCut: cursor !== undefined };
}

/** Words a result: its texts, where its links lead, and the kind of whatever else it has. */
export function resultWords({ content }: z.output<typeof McpCallResult>): string {
  return content
    .slice(0, MAX_PARTS)
    .flatMap((given) => Part.safeParse(given).data ?? [])
    .map(({ type, text = '', resource, uri }) => {
      if (type === 'text') return text;
      return resource?.text ?? `[${type}${uri === undefined ? '' : ` ${uri}`}]`;
    })
    .join('\n');
}
