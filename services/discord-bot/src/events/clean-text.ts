/** Names that stand behind a message's markup: users, roles and channels by id, where they are known. */
export interface MentionNames {
  user(id: string): string | undefined;
  role(id: string): string | undefined;
  channel(id: string): string | undefined;
}

/**
 * Makes of Discord's markup what a person reads. The bot's own mention at the start or end addresses it and
 * goes; within a sentence it is its name. Custom emoji become `:name:`.
 * @param botId null for words that were not said to the bot
 */
export function cleanText(text: string, botId: string | null, names: MentionNames): string {
  return (botId === null ? text : withoutAddress(text, botId))
    .replaceAll(/<@!?(\d+)>/g, (_, id: string) =>
      id === botId ? (names.user(id) ?? 'you') : `@${names.user(id) ?? 'someone'}`,
    )
    .replaceAll(/<@&(\d+)>/g, (_, id: string) => `@${names.role(id) ?? 'a role'}`)
    .replaceAll(/<#(\d+)>/g, (_, id: string) => `#${names.channel(id) ?? 'a channel'}`)
    .replaceAll(/<a?:(\w+):\d+>/g, ':$1:')
    .trim();
}

/** Without the bot's own mentions at the start and the end, and what parts them. */
function withoutAddress(text: string, botId: string): string {
  const own = [`<@${botId}>`, `<@!${botId}>`];
  let rest = text.trim();
  const first = () => own.find((mention) => rest.startsWith(mention));
  for (let mention = first(); mention; mention = first()) {
    rest = rest.slice(mention.length).replace(/^[\s,:]+/, '');
  }
  const last = () => own.find((mention) => rest.endsWith(mention));
  for (let mention = last(); mention; mention = last()) {
    rest = rest.slice(0, -mention.length).trimEnd();
  }
  return rest;
}
