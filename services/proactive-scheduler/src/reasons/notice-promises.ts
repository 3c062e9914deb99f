import { DateTime } from 'luxon';
import { findDates } from './find-dates.js';
import { MAX_AHEAD_DAYS } from './max-ahead-days.js';
import { cutAbout } from './cut-about.js';
import type { NoticedIntention, SaidMessage } from './notice-intentions.js';
import { asksHow } from './is-request-to-return.js';
import { DEFAULT_HOUR, OUTCOME_HOUR } from './decide-due-time.js';
import { readSentences } from './read-sentences.js';

// "I'll ask you", "I will check in", "let me remind you": it says that it will do it, and to whom.
const PROMISE = new RegExp(
  `\\b(?:i'll|i will|i shall|i'm going to|i am going to|let me|i promise (?:to|i'll|that i'll))(?: (?:also|definitely|surely|gladly|happily|certainly|be sure to|make sure to))* (?:${[
    '(?:ask|remind|message|text|ping|nudge|poke|wish) you',
    '(?:write|say hello|say hi) to you|write(?: you)?',
    'check (?:back )?(?:in|on|up)(?: (?:on|with) you)?|check back',
    'come back to (?:you|this|that|it)|get back to you|follow up|be thinking of you|think of you',
  ].join('|')})\\b`,
  'i',
);
const OUTCOME = /\b(?:went|goes|go|going|turn(?:s|ed) out|was|were)\b/i;
// Neither an offer nor a refusal is a promise.
const NO_PROMISE =
  /\b(?:if (?:you|that)|whenever|unless|would you like|do you want|should i|shall i|n't|not|never)\b|n't\b|\?\s*$/i;

/**
 * Finds what a companion promised by itself to come back to: "I'll ask you on Friday how it went". Only with a date:
 * an undated "I'll check in" is a figure of speech. In English, and in text that is read as English.
 */
export function noticePromises(replies: readonly SaidMessage[], timeZone: string): NoticedIntention[] {
  return replies.flatMap(({ text, saidAt }) => {
    const said = DateTime.fromJSDate(saidAt, { zone: timeZone });
    return readSentences(text).flatMap(({ english: sentence, said: own }) => {
      if (!PROMISE.test(sentence) || NO_PROMISE.test(sentence)) return [];
      const date = findDates(sentence, saidAt, timeZone).find(({ past }) => !past);
      if (!date) return [];
      const isDay = date.kind === 'day';
      const hour = asksHow(sentence, OUTCOME) ? OUTCOME_HOUR : DEFAULT_HOUR;
      const at = isDay ? date.at.set({ hour }) : date.at;
      if (at <= said || at > said.plus({ days: MAX_AHEAD_DAYS })) return [];
      return [
        { about: cutAbout(own), dueAt: at.toJSDate(), exact: !isDay, byClock: date.kind !== 'instant' },
      ];
    });
  });
}
