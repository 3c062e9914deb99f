/** Reads the code of an error of discord.js: Discord's own number, or the library's word; undefined where it has none. */
export function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null | undefined)?.code;
}
