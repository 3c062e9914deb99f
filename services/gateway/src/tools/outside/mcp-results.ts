import { z } from 'zod';
import type { ListedTool } from './mcp-tools.js';

/** Tools of a list that are looked at: several times as many as are taken. */
export const MAX_LISTED = 200;
/** Parts of a result that are told: each takes a line, and a model is told 4,000 characters. */
const MAX_PARTS = 2_000;

const Listed = z.object({
  name: z.string(),
  description: z.string().optional(),
  inputSchema: z.record(z.string(), z.unknown()),
});
const Part = z.object({ type: z.string(), text: z.string().optional() });

/**
 * Results of a server, read as far as they are used. The library's own schemas tell every mistake of every part, which
 * takes gigabytes for a list of a million empty ones, and it checks `structuredContent` with the server's own patterns.
 */
export const ListResult = z.looseObject({
  tools: z.array(z.unknown()),
  /** Cursor of the next page; a wrong one ends the list. */
  nextCursor: z.string().optional().catch(undefined),
});
export const CallResult = z.looseObject({
  content: z.array(z.unknown()).default([]),
  isError: z.boolean().default(false),
});

/** Reads the first tools of a page. One that is none is left out. */
export function listedTools({ tools }: z.output<typeof ListResult>, most: number): ListedTool[] {
  return tools.slice(0, most).flatMap((tool) => Listed.safeParse(tool).data ?? []);
}

/** Words a result: its texts, and the kind of whatever else it has. */
export function wordsOf({ content }: z.output<typeof CallResult>): string {
  return content
    .slice(0, MAX_PARTS)
    .flatMap((given) => Part.safeParse(given).data ?? [])
    .map((part) => (part.type === 'text' ? (part.text ?? '') : `[${part.type}]`))
    .join('\n');
}
