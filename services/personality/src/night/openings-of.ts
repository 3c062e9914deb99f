import { isOrderWord } from '../persona/order-words.js';

/** An opening of two to four words, up to the first mark: "okay, but" is `okay but`, with its comma. */
const OPENING = /^[\p{L}' -]{2,40}(?=[,.:;!?…—–])/u;

/** Room for an opening of 40 characters and the mark after it. */
const MAX_OF_OPENING = 100;

/** A capital letter after the first word, other than in "I". */
const NAME_WITHIN = /\s(?!I\b)\p{Lu}/u;

/** Returns the openings of replies, of two to four words, without names and words of orders. */
export function openingsOf(replies: readonly string[]): string[] {
  return replies.flatMap((reply) => {
    const opening = OPENING.exec(reply.slice(0, MAX_OF_OPENING))?.[0].trim() ?? '';
    const words = opening.toLowerCase().split(/\s+/);
    if (words.length < 2 || words.length > 4 || NAME_WITHIN.test(opening)) return [];
    const parts = words.flatMap((word) => word.split(/[-']/));
    return parts.some(isOrderWord) ? [] : [words.join(' ')];
  });
}
