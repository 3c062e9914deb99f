/** Removes the bot's own mentions at the start and the end, and what separates them. */
export function withoutAddress(text: string, botId: string): string {
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
