/** What a message's markup stands for: names of users, roles and channels by id. */
export interface MentionNames {
  users: ReadonlyMap<string, string>;
  roles: ReadonlyMap<string, string>;
  channels: ReadonlyMap<string, string>;
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
      id === botId ? (names.users.get(id) ?? 'you') : `@${names.users.get(id) ?? 'someone'}`,
    )
    .replaceAll(/<@&(\d+)>/g, (_, id: string) => `@${names.roles.get(id) ?? 'a role'}`)
    .replaceAll(/<#(\d+)>/g, (_, id: string) => `#${names.channels.get(id) ?? 'a channel'}`)
    .replaceAll(/<a?:(\w+):\d+>/g, ':$1:')
    .trim();
}

/** At most `limit` characters, never half a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
