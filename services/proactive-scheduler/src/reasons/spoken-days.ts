import type { Chrono } from 'chrono-node';
import { DateTime } from 'luxon';

type Parser = Chrono['parsers'][number];

/** Number words, each at the index of its number. */
export const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
/** Pattern of a count: "a", "two", "3". */
export const COUNT = String.raw`(an?|\d{1,2}|${NUMBERS.join('|')})`;

/** Reads what `COUNT` matches. */
export function countOf(word: string): number {
  if (/^an?$/i.test(word)) return 1;
  const named = NUMBERS.indexOf(word.toLowerCase());
  return named === -1 ? Number(word) : named;
}

const WEEKDAYS = 'monday tuesday wednesday thursday friday saturday sunday'.split(' ');
const WEEKDAY = `(${WEEKDAYS.join('|')})`;
const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const MONTH = `(${MONTHS.join('|')})`;
/** Pattern of a month's name, whole or as usually shortened. */
export const MONTH_NAME =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';

/** Named days that have the same date each year, with month and day. */
const NAMED_DAYS: readonly [string, number, number][] = [
  ['christmas eve', 12, 24],
  ['christmas(?: day)?', 12, 25],
  ['boxing day', 12, 26],
  ["new year'?s eve", 12, 31],
  ["new year'?s(?: day)?", 1, 1],
  ["valentine'?s(?: day)?", 2, 14],
  ['halloween', 10, 31],
];
const NAMED_DAY = NAMED_DAYS.map(([name]) => `(${name})`).join('|');

/** Makes a parser of one form of words. `read` turns a match, and the time when it was said, into a day; null for none. */
function dayParser(
  form: string,
  read: (said: DateTime, words: readonly (string | undefined)[]) => DateTime | null | undefined,
): Parser {
  const pattern = new RegExp(form, 'i');
  return {
    pattern: () => pattern,
    extract({ reference }, match) {
      const at = read(DateTime.fromJSDate(reference.getDateWithAdjustedTimezone()), match);
      if (!at) return null;
      const { year, month, day, weekday } = at;
      // A weekday marks it as a day, which its words might be taken for a week without.
      return /week after next$/i.test(match[0])
        ? { year, month, day }
        : { year, month, day, weekday: weekday % 7 };
    },
  };
}

/** Returns the next such weekday after a day. */
function nextWeekday(said: DateTime, name: string): DateTime {
  const ahead = (WEEKDAYS.indexOf(name.toLowerCase()) + 1 - said.weekday + 7) % 7;
  return said.plus({ days: ahead || 7 });
}

/** Returns such a weekday nearest to a day: "Monday in two weeks" is seldom fourteen days away. */
function nearestWeekday(day: DateTime, name: string): DateTime {
  return nextWeekday(day.minus({ days: 4 }), name);
}

/** Returns the day from which weeks are counted: "two weeks from Monday". */
function startOfCount(said: DateTime, name: string): DateTime {
  if (/^today$/i.test(name)) return said;
  return /^tomorrow$/i.test(name) ? said.plus({ days: 1 }) : nextWeekday(said, name);
}

const DAY = `(today|tomorrow|${WEEKDAYS.join('|')})`;

/** Returns this date's next occurrence, in this year or the next; null where neither has it. */
function comingDay(said: DateTime, month: number, day: number): DateTime | null {
  const today = said.startOf('day');
  const days = [0, 1].map((years) => DateTime.fromObject({ year: said.year + years, month, day }));
  return days.find((at) => at.isValid && at >= today) ?? null;
}

const ORDINALS = 'first second third fourth last'.split(' ');

/** Returns the first, second or last such weekday of a month; next year's where that is past. */
function nthWeekday(said: DateTime, nth: string, name: string, month: string): DateTime | null {
  const named = MONTHS.indexOf(month.toLowerCase()) + 1;
  const first =
    named > 0
      ? said.set({ month: named, day: 1 })
      : said.plus({ months: /next/i.test(month) ? 1 : 0 }).startOf('month');
  const of = (start: DateTime) =>
    ORDINALS.indexOf(nth.toLowerCase()) === ORDINALS.length - 1
      ? nextWeekday(start.plus({ months: 1 }).minus({ days: 8 }), name)
      : nextWeekday(start.minus({ days: 1 }), name).plus({ weeks: ORDINALS.indexOf(nth.toLowerCase()) });
  const at = of(first);
  return at < said.startOf('day') && named > 0 ? of(first.plus({ years: 1 })) : at;
}

/** Parsers of counted and named days that chrono reads only in part: "two weeks from Monday". */
export const SPOKEN_DAYS: readonly Parser[] = [
  // "a week from tomorrow", "two weeks on Monday", "a week today"
  dayParser(
    String.raw`(?<!\bin )\b${COUNT} weeks? (?:from |after |on )?${DAY}\b`,
    (said, [, weeks = '', day = '']) => startOfCount(said, day).plus({ weeks: countOf(weeks) }),
  ),
  // "Monday week"
  dayParser(String.raw`\b${DAY} week\b(?! (?:\d|of|${NUMBERS.join('|')})\b)`, (said, [, day = '']) =>
    startOfCount(said, day).plus({ weeks: 1 }),
  ),
  dayParser(String.raw`\b${WEEKDAY} in ${COUNT} weeks?\b`, (said, [, day = '', weeks = '']) =>
    nearestWeekday(said.plus({ weeks: countOf(weeks) }), day),
  ),
  dayParser(String.raw`\b(today|tomorrow) in ${COUNT} weeks?\b`, (said, [, day = '', weeks = '']) =>
    startOfCount(said, day).plus({ weeks: countOf(weeks) }),
  ),
  dayParser(
    String.raw`\bin ${COUNT} weeks?'?(?: time)? (?:on )?${WEEKDAY}\b`,
    (said, [, weeks = '', day = '']) => nearestWeekday(said.plus({ weeks: countOf(weeks) }), day),
  ),
  dayParser(String.raw`\bnext week (?:on )?${WEEKDAY}\b`, (said, [, day = '']) =>
    nextWeekday(said.startOf('week').plus({ days: 6 }), day),
  ),
  dayParser(
    String.raw`\b(?:the )?(?:${WEEKDAY}|week) after next(?: (?:on )?${WEEKDAY})?\b`,
    (said, [, day, on]) => {
      const name = day ?? on;
      return name === undefined
        ? said.plus({ weeks: 2 })
        : nextWeekday(said.startOf('week').plus({ days: 13 }), name);
    },
  ),
  dayParser(String.raw`\bin a fortnight\b`, (said) => said.plus({ weeks: 2 })),
  // Friday; Sunday where it is said on a weekend.
  dayParser(String.raw`\bend of (?:the|this) week\b(?!end)`, (said) =>
    said.endOf('week').minus({ days: said.weekday > 5 ? 0 : 2 }),
  ),
  dayParser(String.raw`\bend of (?:the|this) year\b`, (said) => said.endOf('year')),
  dayParser(String.raw`\b(?:first|start|beginning) of (?:the|next) month\b`, (said) =>
    said.plus({ months: 1 }).startOf('month'),
  ),
  dayParser(
    String.raw`\b(?:the )?(${ORDINALS.join('|')}) (?:on )?${WEEKDAY} (?:of|in) (?:${MONTH}|((?:the|this|next) month))\b`,
    (said, [, nth = '', day = '', month, other = '']) => nthWeekday(said, nth, day, month ?? other),
  ),
  // "on 13.12.": the day stands before the month wherever there are dots.
  dayParser(
    String.raw`\b(?:on|by|until|till|before|for|the) (\d{1,2})\.(\d{1,2})(?:\.(\d{4})\b|\.(?!\d)|$)`,
    (said, [, day, month, year]) => {
      if (year === undefined) return comingDay(said, Number(month), Number(day));
      const at = DateTime.fromObject({ year: Number(year), month: Number(month), day: Number(day) });
      return at.isValid ? at : null;
    },
  ),
  dayParser(
    String.raw`(?:((?<=(?<!\b(?:days?|weeks?) )\bafter ))|(?<=\b(?:on|at|after|days? before|weeks? before) ))(?:${NAMED_DAY})\b(?! (?:part(?:y|ies)|dinners?|lunch|presents?|gifts?|cards?|shopping|trees?|markets?|songs?|movies?|plans?)\b)`,
    (said, [, after, ...names]) => {
      const [, month, day] = NAMED_DAYS[names.findIndex(Boolean)] ?? ['', 0, 0];
      // "After Christmas" is not on it.
      return comingDay(said, month, day)?.plus({ days: after === undefined ? 0 : 1 });
    },
  ),
];
