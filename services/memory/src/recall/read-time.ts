import { boundTime, DAY_MS, HOUR_MS, lastOf, present } from '@kith/contracts';
import { textForRules } from '@kith/reading';
import type { ParsedComponents, ParsedResult } from 'chrono-node';
import * as en from 'chrono-node/en';

/** Characters of a question that are read: its time stands within a few sentences, and the parser reads them many times. */
export const MAX_ASKED = 500;

/** From one moment to before another. */
export interface TimeSpan {
  from: Date;
  to: Date;
}

/** A time as a question names it, and where in it. */
interface NamedTime {
  span: TimeSpan;
  at: number;
}

/** Most that a day in the person's zone, unknown to recall, differs from UTC. For a month it hardly matters. */
const ZONE_MS = 12 * HOUR_MS;
/** Widths of units of time: "three weeks ago" is half a week to each side. */
const UNITS: readonly [RegExp, number][] = [
  [/\byears?\b/iu, 365 * DAY_MS],
  [/\bmonths?\b/iu, 30 * DAY_MS],
  [/\bweeks?\b/iu, 7 * DAY_MS],
  [/\b(?:weekends?|fortnights?)\b/iu, 3 * DAY_MS],
  [/\b(?:days?|nights?)\b/iu, DAY_MS],
];
const SEASONS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
const SEASON =
  /\b(?:(last|this|that|in|the|during(?: the)?) )?(spring|summer|autumn|fall|winter)(?: (?:of )?((?:19|20)\d\d))?\b/iu;
const LONE_YEAR = /\b(?:in|during|of|since|before|after|until) ((?:19|20)\d\d)\b/iu;
/** Words that the parser takes for a time, and that are more often something else. */
const NOT_A_TIME =
  /^(?:sat|sun|mon|wed|mar|may|march|sec|second|now|today|the day|(?:the )?(?:morning|noon|afternoon|evening|night|midnight))$/iu;
const MONTH = String.raw`(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`;
/** A day after its month, "August 11", which the parser takes for a month of 2011. */
const MONTH_FIRST = new RegExp(String.raw`\b(${MONTH})\.? (\d{1,2})(?:st|nd|rd|th)?\b(?!:| years? )`, 'giu');
/** Words that are verbs as well, and months only where their place says so: "may I ask?", "when did I march last year?". */
const VERB_MONTH = String.raw`(?:(?<=\b(?:in|on|of|from|between|since|before|after|until|around|about|during|last|this|early|late|mid) )(?:may|march)|(?<=${MONTH} (?:and|to|until) )(?:may|march)(?! (?:i|we|you)\b))`;
const PART_OF_YEAR = String.raw`(?:(?:in|the|during) (?:spring|summer|autumn|fall|winter)|\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}|(?!(?:may|march)\b)${MONTH}|${VERB_MONTH})`;
const NUMBERS =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
/** Stretch of time up to now: "the last few days", "over the past month". "Last month" is the one before this. */
const STRETCH = new RegExp(
  String.raw`\b(?:(?:last|past) (?<count>few|couple(?: of)?|several|${NUMBERS.join('|')}|\d{1,3})|(?:the|this|these) past|(?:in|over|during|within|for) the last) (?<unit>(?:hour|day|night|week|month|year)s?)\b(?! (?:of|before)\b)`,
  'iu',
);
/** Counts of vague words, as many as are hardly ever exceeded. */
const VAGUE_COUNTS: Readonly<Record<string, number>> = { couple: 2, few: 4, several: 6 };
/** A year told by its distance, which the parser reads apart from the day, month or season beside it. */
const YEAR_BACK = String.raw`(last year|the year before last|(?:an?|${NUMBERS.join('|')}|\d{1,2}|a few|a couple of|several|some|many) years? ago)`;
/** Distance that names no year: a month beside it is of any. */
const VAGUE_BACK = /^(?:a few|a couple|several|some|many) /iu;
const YEAR_BACK_LAST = new RegExp(
  String.raw`\b((?:(?:in|on|around|about) )?${PART_OF_YEAR}),? (?:of |in )?${YEAR_BACK}\b`,
  'giu',
);
const YEAR_BACK_FIRST = new RegExp(
  String.raw`\b${YEAR_BACK},? (?:(?:in|on|around|about) )?((?:between |from )?${PART_OF_YEAR}(?: (?:and|to|until) ${PART_OF_YEAR})?)\b(?! \d{4})`,
  'giu',
);
/** Made once: a `toLocaleString` makes one for each question, which took a third of its reading. */
const SHORT_MONTH = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });
const LAST_MONTH = new RegExp(String.raw`\blast (${MONTH})\b(?! \d)`, 'giu');
/** The one day that is not in every year, where none is named: the parser drops it in a year without it. */
const LEAP_DAY = /\b29(?:th)? (?:of )?feb(?:ruary)?\b(?![^.?!]{0,40}\b(?:(?:19|20)\d\d|next)\b)/giu;
const BETWEEN = new RegExp(
  String.raw`\bbetween (\d{1,2} ${MONTH}(?:,? \d{4})?|${MONTH}(?: \d{4})?) and `,
  'iu',
);
const DATED = new RegExp(String.raw`\b${MONTH}\b|\d{4}`, 'iu');
/** Part of a day, which says nothing beside the day. */
const PART_OF_DAY = /\b(?:morning|afternoon|evening|night) of (?:the )?(?=\d)/giu;
const EARLIER =
  /\b(the|last|a|one|two|three|four|[1-4]) (day|night|week|month)(?:end)?s? before (?:the )?(?=\d)/iu;

/** Word that makes the time right after it the beginning or the end of the one that is meant. */
const BOUND =
  /\b(since|after|before|until)(?: (?:the|this|that|last|my|about|around|roughly|early|late|(?:start|beginning|middle|end) of)){0,3} ?$/iu;

const WEEKDAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day';
/** "Monday last week", which the parser takes for two times. */
const DAY_OF_LAST_WEEK = new RegExp(String.raw`\b(?:on )?${WEEKDAY},? (?:of |in )?(?=last week\b)`, 'giu');
/** Not "the week before last Christmas". */
const NO_DAY = String.raw`(?! (?:${WEEKDAY}|christmas|easter|spring|summer|autumn|fall|winter|week|month|year)\b)`;
const BEFORE_LAST = new RegExp(`\\b(week(?:end)?|month|year|${WEEKDAY}) before last\\b${NO_DAY}`, 'iu');
/** A weekday by itself, which the parser takes for the nearest. */
const ON_WEEKDAY = /^(?:on|this) [a-z]+(?: (?:morning|noon|afternoon|evening|night))?$/iu;
/** Word that begins no clause of its own and tells of nothing ahead, unlike those of "did I say that we meet", "who was coming". */
const NOT_AHEAD = String.raw`(?: (?!(?:to|i|we|he|she|they|is|are|am|will|would|shall|should|can|could|if|that|what|when|where|who|about|going|coming|leaving|meeting)\b)\p{L}+)`;
/** Matches up to a weekday that was: "how did it go", and not "I was glad, see you". */
const ASKS_WHAT_WAS = new RegExp(
  String.raw`(?:^|[.?!,;:] |\b(?:and|so|but|hey) )(?:(?:what|where|who|how|why|which)${NOT_AHEAD}{0,2} )?(?:did|was|were)(?: (?:i|we|he|she|they)\b)?${NOT_AHEAD}{0,6} $`,
  'iu',
);

/** Longest span that a few days are told by: "the week before 3 August", with what the zone may add. */
const MAX_DAYS_MS = 10 * DAY_MS;
/** The longest month. */
const MAX_MONTH_MS = 31 * DAY_MS;

/** Tells how closely a time is named: the closer, the fewer lines match and the more a match means. */
export function precisionOf({ from, to }: TimeSpan): 'days' | 'month' | 'longer' {
  const width = to.getTime() - from.getTime();
  return width <= MAX_DAYS_MS ? 'days' : width <= MAX_MONTH_MS ? 'month' : 'longer';
}

/**
 * Reads the time that a question asks about: "what did I say last March?", "where was I in 2024?". Null when it names
 * none, or one that lies ahead. For English. Pure.
 */
export function readTime(asked: string, now: Date): TimeSpan | null {
  const told = textForRules(asked, MAX_ASKED)
    .replaceAll(MONTH_FIRST, '$2 $1')
    .replaceAll(PART_OF_DAY, '')
    .replaceAll(DAY_OF_LAST_WEEK, '');
  const query = withYears(told, now).replace(BETWEEN, '$1 to ');
  const named =
    earlierOf(query, now) ??
    beforeLastOf(query, now) ??
    seasonOf(query, now) ??
    dateOf(query, now) ??
    yearOf(query);
  if (!named || named.span.from.getTime() + ZONE_MS > now.getTime()) return null;
  const [from, to] = [boundTime(named.span.from), boundTime(named.span.to)];
  const [, bound] = BOUND.exec(query.slice(0, named.at)) ?? [];
  if (bound === undefined) return { from, to };
  return /^(?:since|after)$/iu.test(bound) ? { from, to: now } : { from: new Date(0), to: from };
}

/**
 * Writes out the year of "March last year" and "two years ago in March", of "last May", said in May, and of
 * "29 February".
 */
function withYears(query: string, now: Date): string {
  const year = now.getUTCFullYear();
  const thisMonth = SHORT_MONTH.format(now).toLowerCase();
  const yearsOf = (back: string) =>
    back.toLowerCase().endsWith('before last') ? 2 : countOf(present(back.split(' ')[0]));
  const dated = (part: string, back: string) =>
    VAGUE_BACK.test(back) ? back : `${part} ${year - yearsOf(back)}`;
  return query
    .replaceAll(YEAR_BACK_LAST, (_, part: string, back: string) => dated(part, back))
    .replaceAll(YEAR_BACK_FIRST, (_, back: string, part: string) => dated(part, back))
    .replaceAll(LAST_MONTH, (words, month: string) =>
      month.toLowerCase().startsWith(thisMonth) ? `${month} ${year - 1}` : words,
    )
    .replaceAll(LEAP_DAY, (day) => `${day} ${lastLeapYear(now)}`);
}

function lastLeapYear(now: Date): number {
  let year = now.getUTCFullYear();
  const leapDayIn = () => new Date(Date.UTC(year, 1, 29));
  while (leapDayIn().getUTCDate() !== 29 || leapDayIn() > now) year -= 1;
  return year;
}

/** Reads a count in words or digits; one where it is neither, as in "a week" and "the last week". */
function countOf(word: string): number {
  return Number(word) || Math.max(1, NUMBERS.indexOf(word.toLowerCase()) + 1);
}

/** Reads "the week before 3 August", up to that day, as it may be told then; "two weeks before" is about that week. */
function earlierOf(query: string, now: Date): NamedTime | null {
  const found = EARLIER.exec(query);
  if (!found) return null;
  const [words, counted = '', named = ''] = found;
  const date = namedIn(query.slice(found.index + words.length), now);
  if (!date?.start.isCertain('day')) return null;
  const at = pastOf(date.start, now).getTime();
  const count = countOf(counted);
  const [, unit] = present(UNITS.find(([word]) => word.test(named)));
  const [from, to] = count === 1 ? [unit, -DAY_MS] : [(count + 0.5) * unit, (count - 0.5) * unit];
  return { span: widened(new Date(at - from), new Date(at - to)), at: found.index };
}

/** Reads "the week before last": last week, as it was told in last week. */
function beforeLastOf(query: string, now: Date): NamedTime | null {
  const found = BEFORE_LAST.exec(query);
  const toldAt = (then: Date) => dateOf(`last ${found?.[1]}`, then);
  const last = found && toldAt(now);
  const before = last && toldAt(new Date(last.span.from.getTime() + ZONE_MS));
  return before && { ...before, at: found.index };
}

/** Reads a stretch of time up to now. */
function stretchOf(query: string, now: Date): NamedTime | null {
  const found = STRETCH.exec(query);
  if (!found) return null;
  const { count = '', unit = '' } = found.groups ?? {};
  const [word = ''] = count.toLowerCase().split(' ');
  const length = UNITS.find(([name]) => name.test(unit))?.[1] ?? HOUR_MS;
  const before = (VAGUE_COUNTS[word] ?? countOf(word)) * length + (length < DAY_MS ? 0 : ZONE_MS);
  return { span: { from: new Date(now.getTime() - before), to: now }, at: found.index };
}

function dateOf(query: string, now: Date): NamedTime | null {
  const named = namedIn(query, now);
  const stretch = named && DATED.test(named.text) ? null : stretchOf(query, now);
  if (stretch || !named) return stretch;
  const start = spanOf(named, named.start, now);
  const isWeekday = named.start.isCertain('weekday') && ON_WEEKDAY.test(named.text);
  const isAhead = start.from.getTime() + ZONE_MS > now.getTime();
  const weekBefore = (at: Date) => new Date(at.getTime() - 7 * DAY_MS);
  if (isWeekday && isAhead && ASKS_WHAT_WAS.test(query.slice(0, named.index)))
    return { span: { from: weekBefore(start.from), to: weekBefore(start.to) }, at: named.index };
  const span = named.end ? { from: start.from, to: spanOf(named, named.end, now).to } : start;
  // "From 28 December to 3 January" passes the turn of a year: the last one, unless a year is named.
  if (span.to <= span.from) {
    if (!named.start.isCertain('year')) span.from.setUTCFullYear(span.from.getUTCFullYear() - 1);
    else span.to.setUTCFullYear(span.to.getUTCFullYear() + 1);
  }
  return { span, at: named.index };
}

/** Finds the first time that has a month or a year, as it says more than a "last week" beside it; else the first of all. */
function namedIn(query: string, now: Date): ParsedResult | undefined {
  const found = en.GB.parse(query, { instant: now, timezone: 0 }).filter(
    ({ text, index }) =>
      !NOT_A_TIME.test(text) || /\b(?:in|on|last|this|since|after|before) $/iu.test(query.slice(0, index)),
  );
  return found.find(({ text }) => DATED.test(text)) ?? found[0];
}

function spanOf({ text }: ParsedResult, part: ParsedComponents, now: Date): TimeSpan {
  const at = pastOf(part, now);
  if (/^last week$/iu.test(text)) return wholeDays(mondayOf(now) - 7 * DAY_MS, 7);
  if (/\bweekend$/iu.test(text)) return wholeDays(mondayOf(at) + 5 * DAY_MS, 2);
  const isDay = part.isCertain('day') || part.isCertain('weekday');
  const [, unit] = UNITS.find(([word]) => word.test(text)) ?? [];
  const rest = text.split(/\bago\b/iu);
  if (unit !== undefined && (!isDay || rest.length > 1) && !/\b(?:year|month)\b/iu.test(lastOf(rest))) {
    const from = at.getTime() - (unit === DAY_MS ? 0 : unit / 2);
    return widened(new Date(from), new Date(from + unit));
  }
  const year = at.getUTCFullYear();
  if (!isDay && part.isCertain('month')) return wholeMonths(year, at.getUTCMonth(), 1);
  if (!isDay && part.isCertain('year')) return wholeMonths(year, 0, 12);
  return widened(at, new Date(at.getTime() + DAY_MS));
}

/** Gives the day a time begins with. "In March" or "on 5 March", said in January, is last year's. */
function pastOf(part: ParsedComponents, now: Date): Date {
  const get = (unit: 'year' | 'month' | 'day') => present(part.get(unit));
  const at = new Date(Date.UTC(get('year'), get('month') - 1, get('day')));
  // A day may have begun where the person is.
  const latest = now.getTime() + (part.isCertain('day') ? DAY_MS : 0);
  if (part.isCertain('month') && !part.isCertain('year') && at.getTime() > latest)
    at.setUTCFullYear(at.getUTCFullYear() - 1);
  // The parser reads "last month", said on 31 March, as 3 March: its day overflows into the month after.
  const isCounted = part.tags().has('result/relativeDate') && !part.isCertain('day');
  if (isCounted && at.getUTCDate() !== now.getUTCDate()) at.setUTCDate(0);
  return at;
}

function seasonOf(query: string, now: Date): NamedTime | null {
  const found = SEASON.exec(query);
  const [, which, season, named] = found ?? [];
  if (!found || season === undefined || (which === undefined && named === undefined)) return null;
  const month = present(SEASONS[season.toLowerCase()]);
  const seasonIn = (year: number) => wholeMonths(year, month, 3);
  const at = found.index;
  if (named !== undefined) return { span: seasonIn(Number(named)), at };
  // The last one that has begun; "last summer", said in summer, is the one before.
  let year = now.getUTCFullYear();
  if (seasonIn(year).from > now) year -= 1;
  if (which?.toLowerCase() === 'last' && seasonIn(year).to > now) year -= 1;
  return { span: seasonIn(year), at };
}

function yearOf(query: string): NamedTime | null {
  const found = LONE_YEAR.exec(query);
  if (!found) return null;
  const [words, year = ''] = found;
  return { span: wholeMonths(Number(year), 0, 12), at: found.index + words.length - year.length };
}

function wholeMonths(year: number, first: number, count: number): TimeSpan {
  return { from: new Date(Date.UTC(year, first)), to: new Date(Date.UTC(year, first + count)) };
}

/** Gives the beginning of the Monday on or before a time. */
function mondayOf(at: Date): number {
  const day = at.getTime() - (at.getTime() % DAY_MS);
  return day - ((at.getUTCDay() + 6) % 7) * DAY_MS;
}

function wholeDays(first: number, count: number): TimeSpan {
  return widened(new Date(first), new Date(first + count * DAY_MS));
}

function widened(from: Date, to: Date): TimeSpan {
  return { from: new Date(from.getTime() - ZONE_MS), to: new Date(to.getTime() + ZONE_MS) };
}
