import { DateTime } from 'luxon';
import { type FoundDate, findDates } from './find-dates.js';
import { cutAbout } from './cut-about.js';
import type { NoticedIntention, SaidMessage } from './notice-intentions.js';
import { DEFAULT_HOUR, OUTCOME_HOUR } from './decide-due-time.js';
import { readSentences, type Sentence } from './read-sentences.js';

/** Something the person told of, unasked: to ask about afterwards, or a day to think of. */
export interface NoticedEvent extends NoticedIntention {
  kind: 'follow-up' | 'date';
  leapDay: boolean;
}

// Further ahead than this a plan changes too often to be asked about.
const MAX_AHEAD_DAYS = 60;
// An event with an hour is over after this, mostly.
const EVENT_HOURS = 3;
// Later than this in the evening nobody is asked how it went: the next morning is.
const LATEST_HOUR = 20;

const EVENT = [
  'job interview|interview|(?:final |driving |blood )?test|exams?|finals|presentation|pitch|talk|speech|viva|defen[cs]e',
  "(?:doctor'?s|dentist|therapy|hospital|vet) ?(?:appointment|visit)?|appointment|surgery|operation|scan|check-?up",
  'audition|recital|concert|gig|show|performance|race|marathon|half[- ]marathon|match|game|tournament|competition',
  'first day|last day|date|wedding|party|graduation|funeral|hearing|trial|deadline|meeting|flight|trip|move',
].join('|');

// "my interview is on Friday", "our first big match"
const THEIR_EVENT = new RegExp(`\\b(?:my|our)\\b(?: [\\w'-]{1,30}){0,3}? (?:${EVENT})\\b`, 'i');
// "I have an interview", "I'm giving a talk", "we've got the concert"
const THEY_HAVE = new RegExp(
  `\\b(?:i|we)(?:'ve got|'ve|'m|'re|'ll)?\\b(?: (?:am|are|will|do|also|just|finally)){0,3}(?: (?:have|got|having|be having|take|taking|give|giving|play|playing|run|running|start|starting|sit|sitting|going to|go to))?(?: [\\w'-]{1,30}){0,4}? (?:${EVENT})\\b`,
  'i',
);
const DAY_THAT_MATTERS = /\b(?:my|our)\b(?: [\w'’-]+){0,4}? (?:birthday|anniversary|name day)\b/i;

const LEAP_DAY = /\b(?:29(?:th)?(?: of)? feb(?:ruary)?|feb(?:ruary)?(?: the)? 29(?:th)?)\b(?!,? \d{4})/i;

// Words of doubt: the event may not come, is only imagined, or is asked about.
const DOUBTFUL =
  /\b(?:not|never|no|n't|cancell?ed|called off|postponed|if|might|may be|maybe|perhaps|would|could|should|wish|used to|dreamt|dreamed)\b|n't\b|\?\s*$/i;

/**
 * Finds events that are worth a message although the person asked for none: a dated event of theirs, to
 * be asked about when it should be over, and a birthday or anniversary of theirs, every year. In English,
 * and in text that is read as English. Nothing in doubt: "I might have an exam on Friday" does not count.
 */
export function noticeEvents(messages: readonly SaidMessage[], timeZone: string): NoticedEvent[] {
  return messages.flatMap(({ text, saidAt }) => {
    const said = DateTime.fromJSDate(saidAt, { zone: timeZone });
    return readSentences(text).flatMap((sentence) => noticeInSentence(sentence, said));
  });
}

function noticeInSentence({ english: sentence, said: own }: Sentence, said: DateTime): NoticedEvent[] {
  if (DOUBTFUL.test(sentence)) return [];
  const datesIn = (text: string) => withDay(findDates(text, said.toJSDate(), said.zoneName ?? 'utc'));
  if (DAY_THAT_MATTERS.test(sentence)) {
    const days = datesIn(withLeapYear(sentence, said.year)).flatMap((date) => {
      const day = nextOf(date, said);
      return day ? [{ dueAt: day.toJSDate(), leapDay: date.at.month === 2 && date.at.day === 29 }] : [];
    });
    return days
      .slice(0, 1)
      .map((day) => ({ kind: 'date', about: cutAbout(own), exact: false, byClock: true, ...day }));
  }
  if (!THEIR_EVENT.test(sentence) && !THEY_HAVE.test(sentence)) return [];
  const date = datesIn(sentence).find(({ past, at }) => !past && at < said.plus({ days: MAX_AHEAD_DAYS }));
  const at = date && afterwards(date);
  if (!at || at <= said) return [];
  const byClock = date.kind !== 'instant';
  return [
    { kind: 'follow-up', about: cutAbout(own), dueAt: at.toJSDate(), exact: false, byClock, leapDay: false },
  ];
}

/**
 * Keeps dates that name a day, in the spans that are named before them: "next week on Tuesday". Drops a month alone:
 * on its first day nobody has their birthday, and their exam is not over.
 */
function withDay(dates: readonly FoundDate[]): FoundDate[] {
  return dates.filter(
    ({ span, at }, index) =>
      span === null &&
      dates.slice(0, index).every((one) => one.span === null || at.hasSame(one.at, one.span)),
  );
}

/** Adds a leap year to a 29 February without a year: in any other year the parser of dates would not find it. */
function withLeapYear(sentence: string, year: number): string {
  return sentence.replace(LEAP_DAY, (day) => `${day} ${year - (year % 4)}`);
}

/** Returns a time at which the event should be over, at an hour to ask. */
function afterwards({ kind, at }: FoundDate): DateTime {
  if (kind === 'day') return at.set({ hour: OUTCOME_HOUR });
  const over = at.plus({ hours: EVENT_HOURS });
  const isLate = over.hour >= LATEST_HOUR || over.hour < DEFAULT_HOUR;
  if (!isLate) return over;
  const morning = over.set({ hour: DEFAULT_HOUR, minute: 0 });
  return over.hour < DEFAULT_HOUR ? morning : morning.plus({ days: 1 });
}

/** Returns the day when it next comes round, after today: they are speaking of today's already. */
function nextOf({ kind, at, past }: FoundDate, said: DateTime): DateTime | undefined {
  // It is unclear which Monday "last Monday" was read as.
  if (kind === 'time' || kind === 'instant' || (past && at > said)) return undefined;
  const inYear = (year: number) => at.set({ year, hour: DEFAULT_HOUR, minute: 0 });
  // Looked up, not walked to: a text may name any year, as in "3 May 9999 BC".
  return [at.year, said.year, said.year + 1]
    .map(inYear)
    .find((day) => day > said && !day.hasSame(said, 'day'));
}
