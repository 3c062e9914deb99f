import { boundTime, insertedName } from '@kith/contracts';
import { withoutAddress } from './without-address.js';

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
 * goes; within a sentence it is its name. Names become one word (`insertedName`). Custom emoji become
 * `:name:`, times a date and time in words.
 * @param botId null for words that were not said to the bot
 */
export function cleanText(text: string, botId: string | null, names: MentionNames): string {
  return (botId === null ? text : withoutAddress(text, botId))
    .replaceAll(/<(@[!&]?|#)(\d+)>/g, (_, kind: string, id: string, at: number, whole: string) => {
      const before = whole.slice(at - 1, at);
      if (kind === '#') return nameOr('#a channel', '#', names.channel(id), before);
      if (kind === '@&') return nameOr('@a role', '@', names.role(id), before);
      if (id === botId) return nameOr('you', '', names.user(id), before);
      return nameOr('@someone', '@', names.user(id), before);
    })
    .replaceAll(/<a?:(\w+):\d+>/g, ':$1:')
    .replaceAll(/<t:(-?\d{1,15})(?::[a-zA-Z])?>/g, (_, seconds: string) => timeInWords(Number(seconds)))
    .replaceAll(/<(\/[^<>:\n]{1,100}):\d+>/g, '$1')
    .replaceAll(/<id:([a-z-]{1,30})(?::\d+)?>/g, (_, page: string) => PAGES.get(page) ?? page)
    .trim();
}

function nameOr(unknown: string, sign: '@' | '#' | '', name: string | undefined, before: string): string {
  return name === undefined ? unknown : insertedName(sign, name, before);
}

/** Writes a time in UTC; times out of the range that is stored become "a time". */
function timeInWords(seconds: number): string {
  const at = new Date(seconds * 1_000);
  return boundTime(at).getTime() === at.getTime() ? `${TIME.format(at)} (UTC)` : 'a time';
}
