/** What a message's markup stands for: names of users, roles and channels by id, where they are known. */
export interface MentionNames {
  user(id: string): string | undefined;
  role(id: string): string | undefined;
  channel(id: string): string | undefined;
}

/**
 * Makes of Discord's markup what a person reads. The bot's own mention at the start or end addresses it and
 * goes; within a sentence it is its name. Custom emoji become `:name:`.
 */
export function cleanText(text: string, botId: string, names: MentionNames): string {
  const own = `<@!?${botId}>`;
  return text
    .replace(new RegExp(`^(\\s*${own}[\\s,:]*)+`), '')
    .replace(new RegExp(`(\\s*${own}\\s*)+$`), '')
    .replaceAll(/<@!?(\d+)>/g, (_, id: string) =>
      id === botId ? (names.user(id) ?? 'you') : `@${names.user(id) ?? 'someone'}`,
    )
    .replaceAll(/<@&(\d+)>/g, (_, id: string) => `@${names.role(id) ?? 'a role'}`)
    .replaceAll(/<#(\d+)>/g, (_, id: string) => `#${names.channel(id) ?? 'a channel'}`)
    .replaceAll(/<a?:(\w+):\d+>/g, ':$1:')
    .trim();
}

/** At most `limit` characters, never half a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
