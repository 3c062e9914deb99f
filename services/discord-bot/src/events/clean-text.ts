import { boundTime, insertedName } from '@kith/contracts';

/** Names for the ids in a message's markup: users, roles and channels, if they are known. */
export interface MentionNames {
  user(id: string): string | undefined;
  role(id: string): string | undefined;
  channel(id: string): string | undefined;
}

/** Pages of a server that can be linked to, by the name that Discord shows for each. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ['browse', 'Browse Channels'],
  ['customize', 'Channels & Roles'],
  ['guide', 'Server Guide'],
  ['linked-roles', 'Linked Roles'],
]);
/** UTC: the writer saw the time by their own clock, which is unknown here. */
const TIME = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', dateStyle: 'full', timeStyle: 'short' });

/**
 * Turns Discord's markup into readable text. The bot's own mention at the start or end addresses it and
 * goes; within a sentence it is its name. Names are marked as inserted (`typedWords`). Custom emoji become
 * `:name:`, times a date and time in words.
 * @param botId null for words that were not said to the bot
 */
export function cleanText(text: string, botId: string | null, names: MentionNames): string {
  return (botId === null ? text : withoutAddress(text, botId))
    .replaceAll(/<@!?(\d+)>/g, (_, id: string) =>
      id === botId ? nameOr('you', '', names.user(id)) : nameOr('@someone', '@', names.user(id)),
    )
    .replaceAll(/<@&(\d+)>/g, (_, id: string) => nameOr('@a role', '@', names.role(id)))
    .replaceAll(/<#(\d+)>/g, (_, id: string) => nameOr('#a channel', '#', names.channel(id)))
    .replaceAll(/<a?:(\w+):\d+>/g, ':$1:')
    .replaceAll(/<t:(-?\d{1,15})(?::[a-zA-Z])?>/g, (_, seconds: string) => timeInWords(Number(seconds)))
    .replaceAll(/<(\/[^<>:\n]{1,100}):\d+>/g, '$1')
    .replaceAll(/<id:([a-z-]{1,30})(?::\d+)?>/g, (_, page: string) => PAGES.get(page) ?? page)
    .trim();
}

function nameOr(unknown: string, sign: string, name: string | undefined): string {
  return name === undefined ? unknown : insertedName(`${sign}${name}`);
}

/** Writes a time in UTC; times out of the range that is stored become "a time". */
function timeInWords(seconds: number): string {
  const at = new Date(seconds * 1_000);
  return boundTime(at).getTime() === at.getTime() ? `${TIME.format(at)} (UTC)` : 'a time';
}

/** Removes the bot's own mentions at the start and the end, and what separates them. */
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
