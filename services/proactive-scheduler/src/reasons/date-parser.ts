import type { Chrono } from 'chrono-node';
import * as en from 'chrono-node/en';

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

const HOURS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** Minutes said before the hour, and how much they add to it. */
const MINUTES: Readonly<Record<string, number>> = { 'half past': 30, 'quarter past': 15, 'quarter to': -15 };
/** "pm", "in the morning". */
const HALF_OF_DAY = String.raw`( ?[ap]m\b| in the (?:morning|afternoon|evening|night)\b| at night\b)`;
const PART_OF_HOUR = new RegExp(
  String.raw`\b(?:at )?(?:a )?(${Object.keys(MINUTES).join('|')}) (\d{1,2}|${HOURS.join('|')})\b${HALF_OF_DAY}?`,
  'i',
);

/** "half past 8", "quarter to nine pm". */
const partOfHour: Parser = {
  pattern: () => PART_OF_HOUR,
  extract(_, { 1: part = '', 2: named = '', 3: half = '' }) {
    const minutes = MINUTES[part.toLowerCase()] ?? 0;
    const hour = HOURS.indexOf(named.toLowerCase()) + 1 || Number(named);
    if (hour < 1 || hour > 23) return null;
    // "Quarter to one" is in the twelfth hour.
    const told = minutes < 0 ? hour - 1 || 12 : hour;
    return inHalf({ hour: told, minute: (minutes + 60) % 60 }, half);
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
  extract({ text }, { index = 0, 1: hour, 2: minute = '0', 3: half = '' }) {
    if (NO_HOUR_AFTER.test(text.slice(Math.max(0, index - LOOKED_BACK_AT), index))) return null;
    if (Number(hour) > 23 || Number(hour) < 1 || Number(minute) > 59) return null;
    return inHalf({ hour: Number(hour), minute: Number(minute) }, half);
  },
};

const IN_PART_OF_DAY = /\bin the (?:morning|afternoon|evening)\b/i;

/** "Monday in the morning", which chrono reads as two times. Its hour is set where dates are read (`find-dates.ts`). */
const partOfDay: Parser = {
  pattern: () => IN_PART_OF_DAY,
  extract: (context) => context.createParsingComponents(),
};

/** Places a time in the half of a day that is named; leaves it where none is, and at night, which is in both. */
function inHalf(time: { hour: number; minute: number }, half: string) {
  if (half === '' || /night/i.test(half)) return time;
  if (/\bam\b|morning/i.test(half)) return { ...time, hour: time.hour % 12, meridiem: 0 };
  return { ...time, hour: time.hour < 12 ? time.hour + 12 : time.hour, meridiem: 1 };
}

/** Parser of English dates, with further forms that people use with a companion. */
export const DATES = en.casual.clone();
// In front: of two readings of the same words, the first wins.
DATES.parsers.unshift(dayOfMonth, partOfHour, hourInPart, partOfDay);
