import { DateTime } from 'luxon';
import { cutAbout } from './cut-about.js';
import { type FoundDate, findDates } from './find-dates.js';
import { type ComeBackRequest, findRequests, withoutJoiners } from './find-requests.js';
import { MAX_AHEAD_DAYS } from './max-ahead-days.js';
import { readSentences, type Sentence } from './read-sentences.js';

/** One message of a person's, as the transcript has it. */
export interface SaidMessage {
  text: string;
  saidAt: Date;
}

/** Something to come back to, and when. */
export interface NoticedIntention {
  /** In the person's own words. */
  about: string;
  dueAt: Date;
  /** The hour was named; otherwise only the day was. */
  exact: boolean;
}

/** A time to come back at. */
interface DueTime {
  at: DateTime;
  exact: boolean;
}

// More than this in one turn is a list or a joke, and each would be a message of its own.
const MAX_PER_TURN = 5;
// A day without a time: mid-morning, past most people's quiet hours.
export const DEFAULT_HOUR = 10;
// "how it went" is asked when the day it happened on is mostly over.
export const OUTCOME_HOUR = 18;
// Before this hour "tomorrow", left unsaid, is the day that is about to begin.
const NIGHT_ENDS_HOUR = 4;
// "Later" is after what they are at, and on the same day.
const LATER_HOURS = 3;

const OUTCOME = /\b(?:went|goes|go|going|turn(?:s|ed) out)\b/i;
const LATER = /\b(?:later|in a (?:bit|while))\b/i;
// "once I'm home", "after the exam": a moment nobody gave a date for.
const SOME_OTHER_TIME =
  /\b(?:next time|some ?time|some other time|another time|one of these days|soon|once|after|as soon as|when (?:i'm|i am|i get|i come|i've|i have|i wake|i finish|it's|it is|we're))\b/i;
const POINTS_BACK = /\b(?:it|that|them|him|her|this(?! (?:morning|afternoon|evening|week|month|year)))\b/i;
const INDIRECT_QUESTION = /^\s*(?:again\s+)?(?:of|who|what|which|why|how|where|when|if|whether)\b/i;
const ONLY_SMALL_WORDS = /^[\s,]*(?:(?:again|back|please|later|on|at|by|about it)\b[\s,]*)*$/i;

/**
 * Finds what a person asked a companion to come back to: "ask me tomorrow how the interview went",
 * "remind me on Friday to call mum", "check in on me in 2 hours". In English, and in what is read as such; a repeating request is taken once.
 *
 * Dates are read against when each message was said, on the person's own clock. Precision goes first: a message
 * nobody asked for is worse than a reminder that was not understood.
 */
export function noticeIntentions(messages: readonly SaidMessage[], timeZone: string): NoticedIntention[] {
  const noticed = messages.flatMap((message) => noticeInMessage(message, timeZone));
  const unique = new Map(noticed.map((intention) => [intention.about, intention]));
  return [...unique.values()].slice(0, MAX_PER_TURN);
}

function noticeInMessage({ text, saidAt }: SaidMessage, timeZone: string): NoticedIntention[] {
  const said = DateTime.fromJSDate(saidAt, { zone: timeZone });
  const sentences = readSentences(text);
  return sentences.flatMap((sentence, index) => {
    const before = sentences[index - 1] ?? { said: '', english: '' };
    return findRequests(sentence.english).flatMap((request) => {
      const due = decideDueTime(request, before.english, said);
      if (!due || due.at <= said || due.at > said.plus({ days: MAX_AHEAD_DAYS })) return [];
      const about = describe(request, sentence, before);
      return about === '' ? [] : [{ about, dueAt: due.at.toJSDate(), exact: due.exact }];
    });
  });
}

/** Finds the time to come back; undefined when the sentence does not ask for that after all. */
function decideDueTime(request: ComeBackRequest, before: string, said: DateTime): DueTime | undefined {
  const zone = said.zoneName ?? 'utc';
  const datesIn = (text: string) => findDates(text, said.toJSDate(), zone);
  const hour = asksHow(request.rest, OUTCOME) ? OUTCOME_HOUR : DEFAULT_HOUR;
  const own = datesIn(request.rest);
  const next = own.find((date) => ONLY_SMALL_WORDS.test(request.rest.slice(0, date.index)));
  // "remind me on 1 January 2020": asked for, and not possible.
  if (next?.past) return undefined;

  const ahead = own.filter((date) => !date.past);
  const led = datesIn(request.lead).filter((date) => !date.past);
  if (!isRequestToReturn(request, { next, ahead, led })) return undefined;

  const chosen = next ?? (request.kind === 'ask' ? ahead.at(-1) : earliest(ahead)) ?? led.at(-1);
  if (chosen) return placeInDay(withTimeOf(chosen, ahead), hour, said);
  if (LATER.test(request.rest)) return { at: said.plus({ hours: LATER_HOURS }), exact: false };
  const told = datesIn(before).find((date) => !date.past);
  if (told && POINTS_BACK.test(request.rest)) return placeInDay(told, hour, said);
  return { at: nextDay(said, hour), exact: false };
}

/**
 * Each verb has its other uses: "remind me what you said" and "tell me a joke" want an answer now.
 * `next` is a date right after the verb, `ahead` all future dates of the request, `led` those before it.
 */
function isRequestToReturn(
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
      return next !== undefined ? !/^'s/.test(rest.slice(next.end)) : /^\s*to\b/i.test(rest) && dated;
  }
}

function earliest(dates: readonly FoundDate[]): FoundDate | undefined {
  return dates.toSorted((one, other) => one.at.toMillis() - other.at.toMillis())[0];
}

/** "tomorrow … at 5pm": a day and a time that stand apart. */
function withTimeOf(date: FoundDate, others: readonly FoundDate[]): FoundDate {
  const time = date.kind === 'day' && others.find((other) => other.kind === 'time');
  if (!time) return date;
  return { ...date, kind: 'moment', at: date.at.set({ hour: time.at.hour, minute: time.at.minute }) };
}

function placeInDay({ kind, at }: FoundDate, hour: number, said: DateTime): DueTime {
  if (kind !== 'day') return { at, exact: true };
  const due = at.set({ hour });
  // "today", in the evening.
  return { at: due > said ? due : said.plus({ hours: LATER_HOURS }), exact: false };
}

function nextDay(said: DateTime, hour: number): DateTime {
  const day = said.hour < NIGHT_ENDS_HOUR ? said : said.plus({ days: 1 });
  return day.set({ hour, minute: 0, second: 0, millisecond: 0 });
}

/** The request in the person's words, with what its "it" stands for. */
function describe(
  { lead, phrase, rest }: ComeBackRequest,
  { said, english }: Sentence,
  before: Sentence,
): string {
  const pointsBack = POINTS_BACK.test(rest);
  // Of what was read as English only the whole sentence is in their words.
  if (said !== english) return cutAbout(pointsBack ? `${before.said} ${said}` : said);
  const context = withoutJoiners(lead, ',;:–—-').trim();
  const parts = pointsBack ? [context === '' ? before.said : `${context}.`, phrase] : [phrase];
  return cutAbout(parts.join(' '));
}

/** Tells whether one of these words follows a "how". */
export function asksHow(text: string, words: RegExp): boolean {
  const how = text.search(/\bhow\b/i);
  return how !== -1 && words.test(text.slice(how));
}
