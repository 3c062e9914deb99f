import type { Chrono, ParsingContext } from 'chrono-node';
import * as en from 'chrono-node/en';
import { COUNT, countOf, NUMBERS, SPOKEN_DAYS } from './spoken-days.js';

type Parser = Chrono['parsers'][number];

/**
 * "on the 20th", "by the 3rd of next month": a day of the month that comes next. "On the 5th floor" is not a date: only
 * words that continue a request may follow.
 */
const ON_THE = String.raw`\b(?:on|by|until|till|before) the (\d{1,2})(?:st|nd|rd|th)\b`;
const OF_MONTH = String.raw`(?: of (?:(?:the|this|every|each)|(next)) month)?`;
const GOES_ON = String.raw`(?=\s*(?:$|[,.;:!?)])|\s+(?:at|to|in the|about|and|or|that|how|if|whether|please|again)\b)`;
const DAY_OF_MONTH = new RegExp(ON_THE + OF_MONTH + GOES_ON, 'i');

const dayOfMonth: Parser = {
  pattern: () => DAY_OF_MONTH,
  extract({ reference }, { 1: digits, 2: next }) {
    const day = Number(digits);
    const said = reference.getDateWithAdjustedTimezone();
    const ahead = next !== undefined || day < said.getDate() ? 1 : 0;
    // Of any two months in a row, one has 31 days.
    const found = [ahead, ahead + 1]
      .map((months) => new Date(said.getFullYear(), said.getMonth() + months, day))
      .find((date) => date.getDate() === day);
    return found ? { year: found.getFullYear(), month: found.getMonth() + 1, day } : null;
  },
};

const HOUR = String.raw`(\d{1,2}|${NUMBERS.slice(1).join('|')})`;
/** Minutes said before the hour or behind it. */
const MINUTES: Readonly<Record<string, number>> = {
  half: 30,
  quarter: 15,
  five: 5,
  ten: 10,
  fifteen: 15,
  twenty: 20,
  'twenty five': 25,
  thirty: 30,
  forty: 40,
  'forty five': 45,
  fifty: 50,
};
/** Words for a half of the day: "pm", "in the morning". */
const HALF_OF_DAY = String.raw`( ?[ap]m\b| in the (?:morning|afternoon|evening|night)\b| at night\b)`;
const PART_OF_HOUR = new RegExp(
  String.raw`\b(?:(?:at )?(?:a )?(half(?! to)|(?<=\bat )half|quarter)|at (\d{1,2}(?! to)|20|25|\d{1,2}(?= minutes)|five|ten|twenty(?:[ -]five)?)(?: minutes)?) (past|to) ${HOUR}\b${HALF_OF_DAY}?`,
  'i',
);

/** "half past 8", "quarter to nine pm", "at ten to nine", but not "at 8 to 10"; "half to nine" is German's "halb neun". */
const partOfHour: Parser = {
  pattern: () => PART_OF_HOUR,
  extract(context, { 1: part = '', 2: counted = '', 3: side = '', 4: named = '', 5: half = '' }) {
    const ofHour = minutesOf(part || counted);
    const isTo = /to/i.test(side);
    const hour = countOf(named);
    if (hour < 1 || hour > 23 || ofHour > 59) return null;
    // "Quarter to one" is in the twelfth hour.
    const told = isTo ? hour - 1 || 12 : hour;
    return timeOf(context, { hour: told, minute: (60 + (isTo ? -ofHour : ofHour)) % 60 }, half);
  },
};

function minutesOf(words: string): number {
  return MINUTES[words.toLowerCase().replace('-', ' ')] ?? Number(words);
}

/** No word behind a number that the number counts: "at two places". */
const OF_THINGS =
  "(?! (?:of|time|percent|hundred|thousand|million|different|more|other|new|people|feet|foot|apiece|each|(?!this|always|unless|[a-z]+days)[^\\s\\d.,;:!?)']{2,}s)\\b)";
/** "One" as an hour, by the word behind it; behind another word it is none ("at one company", "at one with nature"). */
const ONE = String.raw`one(?=$|[,.;:!?)]|[ -](?:o'?clock|fifteen|thirty|forty|[ap]m|in the|at night|on|if|when|so|because|about|sharp|please|again|today|tonight|tomorrow|this|next|every|how|what|that|and (?!the same)|or (?!another|two)|to (?!one))\b| [-–])`;
const SPOKEN_HOUR = new RegExp(
  String.raw`\bat (${ONE}|${NUMBERS.slice(2).join('|')})(?:[ -](o'?clock|(?:twenty|forty)(?:[ -]five)?|ten|fifteen|thirty|fifty))?\b${HALF_OF_DAY}?${OF_THINGS}`,
  'i',
);

/** "at nine", "at nine thirty in the evening". */
const spokenHour: Parser = {
  pattern: () => SPOKEN_HOUR,
  extract(context, { 1: named = '', 2: behind = '', 3: half = '' }) {
    const minute = /^(?:o|$)/i.test(behind) ? 0 : minutesOf(behind);
    return timeOf(context, { hour: countOf(named), minute }, half);
  },
};

/** "at 17h", which chrono takes for a span. */
const hourWithH: Parser = {
  pattern: () => /\bat (\d{1,2}) ?h(?:([0-5]\d))?\b/i,
  extract: (context, { 1: hour, 2: minute = '0' }) =>
    Number(hour) > 23 ? null : timeOf(context, { hour: Number(hour), minute: Number(minute) }, ''),
};

const HOURS_AND_PART = new RegExp(
  String.raw`\bin (?:${COUNT} and a half hours|(an?|three) quarters? of an hour|(\d{1,2}) ?h ?([0-5]\d))\b`,
  'i',
);

/** "in two and a half hours", "in 1h30", "in a quarter of an hour", which chrono takes for a quarter of a year. */
const hoursAndPart: Parser = {
  pattern: () => HOURS_AND_PART,
  extract({ reference }, { 1: counted, 2: quarters, 3: hours = '0', 4: minutes = '0' }) {
    const part = quarters === undefined ? Number(minutes) : countOf(quarters) * 15;
    const minute = counted === undefined ? Number(hours) * 60 + part : countOf(counted) * 60 + 30;
    return en.ParsingComponents.createRelativeFromReference(reference, { minute });
  },
};

const IN_PART =
  /\b(?:at )?(\d{1,2})(?::(\d\d))?(?: o'?clock)? (in the (?:morning|evening|night)|this evening|midnight)\b/i;

/** Words that make a number behind them a day of a month, or the end of a span: "May 12 midnight", "from 9 to 11 …". */
const NO_HOUR_AFTER =
  /(?:\d[.:/-]?|\b(?:to|till|until) |[-–] ?|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? )$/i;
/** Characters before a number that are checked for these: the longest month. */
const LOOKED_BACK_AT = 12;

/** "at 8 in the evening", of which chrono makes two times; "at 12 in the morning", which it takes for noon. */
const hourInPart: Parser = {
  pattern: () => IN_PART,
  extract(context, { index = 0, 1: hour, 2: minute = '0', 3: half = '' }) {
    if (NO_HOUR_AFTER.test(context.text.slice(Math.max(0, index - LOOKED_BACK_AT), index))) return null;
    if (Number(hour) > 23 || Number(hour) < 1 || Number(minute) > 59) return null;
    return timeOf(context, { hour: Number(hour), minute: Number(minute) }, half);
  },
};

const IN_PART_OF_DAY = /\bin the (?:morning|afternoon|evening)\b/i;

/** "Monday in the morning", which chrono reads as two times. Its hour is set where dates are read (`find-dates.ts`). */
const partOfDay: Parser = {
  pattern: () => IN_PART_OF_DAY,
  extract: (context) => context.createParsingComponents(),
};

/** Makes a time. An hour without a half of the day is read as written, whatever the time of a day beside it ("in a week"). */
function timeOf(context: ParsingContext, time: { hour: number; minute: number }, half: string) {
  const placed = inHalf(time, half);
  return context.createParsingComponents(placed).imply('meridiem', placed.hour < 12 ? 0 : 1);
}

/** Moves a time into the named half of the day; not where none is named, nor at night, which is in both. */
function inHalf(time: { hour: number; minute: number }, half: string) {
  if (half === '' || /night/i.test(half)) return time;
  if (/\bam\b|morning/i.test(half)) return { ...time, hour: time.hour % 12, meridiem: 0 };
  return { ...time, hour: time.hour < 12 ? time.hour + 12 : time.hour, meridiem: 1 };
}

/** Parser of English dates, with further forms that people use with a companion. */
export const DATES = en.casual.clone();
// In front: of two readings of the same words, the first wins.
DATES.parsers.unshift(
  ...SPOKEN_DAYS,
  dayOfMonth,
  partOfHour,
  spokenHour,
  hourWithH,
  hoursAndPart,
  hourInPart,
  partOfDay,
);
