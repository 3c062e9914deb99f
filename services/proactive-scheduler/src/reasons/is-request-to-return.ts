import type { FoundDate } from './find-dates.js';
import type { ComeBackRequest } from './find-requests.js';
import { MONTH_NAME, NUMBERS } from './spoken-days.js';

/** Verbs of how something ended. */
export const OUTCOME = /\b(?:went|goes|go|going|turn(?:s|ed) out)\b/i;

/** Words for later on the same day. */
export const LATER = /\b(?:later|in a (?:bit|while))\b/i;

// "once I'm home", "after the exam": a moment nobody gave a date for.
export const SOME_OTHER_TIME =
  /\b(?:next time|some ?time|some other time|another time|one of these days|soon|once|after|as soon as|when (?:i'm|i am|i get|i come|i've|i have|i wake|i finish|it's|it is|we're))\b/i;

/** Words for something said before. */
export const POINTS_BACK =
  /\b(?:it|that|them|him|her|this(?! (?:morning|afternoon|evening|week|month|year)))\b/i;

/** End of a number that is a time. Before anything else it is a count: "on 2 essays", "by 12.5 %". */
const NO_THING = String.raw`(?:\s*$|[,;:!?)]|\.(?!\d)| (?:to|please|again|every|each|of the month)\b)`;
/** A number that a clock, or a calendar's day, may show. */
const SHOWN = String.raw`(?:[0-2]?\d(?:[.:h][0-5]\d)?|3[01]|[0-2]\d[0-5]\d|${NUMBERS.slice(1).join('|')})`;

/** A time in a form that no parser reads: "on 31 June", "at 5ish". A guess would be a message at a wrong time. */
export const UNREAD_TIME = new RegExp(
  [
    String.raw`\b(?:at|by|until|till|after|around) (?:half )?${SHOWN}(?:ish)?${NO_THING}`,
    String.raw`\bin (?:\d{1,3}|${NUMBERS.slice(1).join('|')})${NO_THING}`,
    String.raw`(?:^\s*in \d{4}|\bon \d{1,2}\.\d{1,2})${NO_THING}`,
    String.raw`(?:^\s*(?:on|by|until|till) the \d{1,2}(?:st|nd|rd|th)\b|\b(?:on|by|until|till|after) (?:the )?\d{1,2}(?:st|nd|rd|th)${NO_THING})`,
    String.raw`\b(?:on|by|until|till|after) (?:the )?(?:\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH_NAME}|${MONTH_NAME} (?:the )?\d{1,2})\b`,
    String.raw`\b(?:on|at|by|until|till|after|over) (?:christmas|easter|new year|valentine|thanksgiving|halloween)`,
    String.raw`(?:^|\b(?:at|by|before|until|till))(?: the)? end of (?:the )?day\b`,
    String.raw`\bnext (?:spring|summer|autumn|fall|winter)\b(?!')`,
    String.raw`\bon (?:my|our|his|her|their|\w{1,20}'s) (?:birthday|anniversary)\b`,
    String.raw`\bon the (?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w{4,5}teenth|twentieth|thirtieth)${NO_THING}`,
  ].join('|'),
  'i',
);

const INDIRECT_QUESTION = /^\s*(?:again\s+)?(?:of|who|what|which|why|how|where|when|if|whether)\b/i;

/** Words that may stand between a verb and its date, like "again". */
export const ONLY_SMALL_WORDS = /^[\s,]*(?:(?:again|back|please|later|on|at|by|about it)\b[\s,]*)*$/i;

/**
 * Tells requests to come back from others: "remind me what you said" and "tell me a joke" want an answer now.
 * `next` is a date right after the verb, `ahead` all future dates of the request, `led` those before it.
 */
export function isRequestToReturn(
  { kind, rest }: ComeBackRequest,
  { next, ahead, led }: { next: FoundDate | undefined; ahead: FoundDate[]; led: FoundDate[] },
): boolean {
  const dated = ahead.length > 0 || led.length > 0;
  const postponed = LATER.test(rest) || SOME_OTHER_TIME.test(rest);
  switch (kind) {
    case 'remind':
      if (rest.trim() === '') return dated;
      return next !== undefined || led.length > 0 || postponed || !INDIRECT_QUESTION.test(rest);
    case 'check-in':
      return true;
    case 'ask':
      return dated || postponed || asksHow(rest, OUTCOME);
    case 'contact':
      return dated || postponed;
    case 'tell':
      // "tell me what happens tomorrow" and "tell me about tomorrow's weather" are questions.
      return next !== undefined ? !rest.slice(next.end).startsWith("'s") : /^\s*to\b/i.test(rest) && dated;
  }
}

/** Tells whether one of these words follows a "how". */
export function asksHow(text: string, words: RegExp): boolean {
  const how = text.search(/\bhow\b/i);
  return how !== -1 && words.test(text.slice(how));
}
