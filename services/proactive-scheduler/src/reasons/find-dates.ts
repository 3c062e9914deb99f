import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { DateTime } from 'luxon';
import { DATES } from './date-parser.js';

/** A date or time in what somebody said, as their own clock reads it. */
export interface FoundDate {
  /** Its place in the text, from `index` up to `end`. */
  index: number;
  end: number;
  /**
   * `instant` is exact ("in 2 hours"), `moment` names day and time, `day` has no time of day, `time` no day.
   * A `day` is at midnight, unless it names a part of the day ("tomorrow morning" is a `moment`).
   */
  kind: 'instant' | 'moment' | 'day' | 'time';
  at: DateTime;
  /** Span that is named instead of a day; `at` is then some day in it. Null for a day or a time. */
  span: 'week' | 'month' | 'year' | null;
  /** Named hour, where it may be before or after noon; null where it is clear. */
  bareHour: number | null;
  /** True for a date before the moment it was said, by its words ("last Friday") or by its date. */
  past: boolean;
}

/**
 * Hours that people mean by a part of the day, and by which it is over. Chrono's own guesses put "tonight" at 22:00 and
 * "morning" at 6:00.
 */
const DAY_PARTS: readonly [RegExp, number, number][] = [
  [/\bmorning\b/i, 9, 12],
  [/\bnoon\b/i, 12, 13],
  [/\bafternoon\b/i, 15, 18],
  [/\bevening\b/i, 19, 24],
  [/\b(?:to)?night\b/i, 20, 24],
];
// "Tonight", said in the evening, is still to come, and not at midnight.
const REST_OF_PART_HOURS = 1;
// "Tomorrow at five" is in the afternoon: whoever means the night says so.
const FIRST_HOUR = 6;
// "Tonight at four" is after midnight, "tonight at five" before it, while that is still to come.
const EVENING_BEGINS = 5;
const NIGHT = /\b(?:to|mid)?night\b/i;
const EVENING = /\bevening\b/i;
// "Friday at two at night" is on Friday, and "Friday night at two" is not. Midnight ends the day that is named.
const AT_NIGHT = /\b(?:at|in the) night\b/i;
// Every month has at least this many days.
const SHORTEST_MONTH = 28;

// Words that are more often something else ("I sat down", "you may"); with "on" or "in" before them they are dates.
const LONE_ABBREVIATION = /^(?:sat|sun|mon|wed|mar|may|march|sec|second|now)$/i;

/** "The end of the day", "plan the week": chrono takes it for a day or a week from now. */
const LONE_UNIT = /^the (?:second|minute|hour|day|week|month|quarter|year)$/i;

// Chrono reads a week as today's weekday in it, a weekend as Saturday, and the end of a month as its last day.
const WEEK = /\b(?:the|this|next|coming|last|past) week\b|\bweek after next\b/i;
const WEEKEND = /\bweekend\b/i;
const END_OF_SPAN = /\b(?:end|start|beginning) of\b/i;

/** Marks of the parser on a time that is counted from when it was said: "in two hours", "right now". */
const COUNTED = ['result/relativeDateAndTime', 'casualReference/now'] as const;

/** Words for the past. "Half past" and "the last Friday of January" are not. */
const PAST_WORDS =
  /\b(?:last(?! (?:on )?\w+day (?:of|in)\b)|(?<!(?:half|quarter|\d|five|ten|twenty|minutes) )past|yesterday|ago)\b/i;

/**
 * Finds the dates in a text, in order, as its speaker meant them when they said it.
 *
 * Days and times are read off the speaker's clock and placed in their zone, so a summer-time change in between
 * moves the instant and not the hour; durations in hours and minutes are exact.
 */
export function findDates(text: string, saidAt: Date, zone: string): FoundDate[] {
  const said = DateTime.fromJSDate(saidAt, { zone });
  // The parser compares times of its reference's zone with times of UTC: it reads their clock as one of UTC.
  return DATES.parse(text, { instant: asUtc(said).toJSDate(), timezone: 0 }, { forwardDate: true })
    .filter(({ text: words, index }) => isDate(words, text.slice(0, index)))
    .map((result) => readDate(result, said));
}

/** Tells whether words that chrono takes for a date are one: "may" is, behind an "in". */
function isDate(words: string, before: string): boolean {
  const isMonth = /^ma/i.test(words) && /\bin $/i.test(before);
  return isMonth || !(LONE_ABBREVIATION.test(words) || LONE_UNIT.test(words));
}

function readDate(result: ParsedResult, said: DateTime): FoundDate {
  const { start, text, index } = result;
  const hasDay = (['day', 'weekday', 'month'] as const).some((component) => start.isCertain(component));
  const part = start.isCertain('hour') ? undefined : DAY_PARTS.find(([word]) => word.test(text));
  const hasTime = start.isCertain('hour') || part !== undefined;
  const isInstant = start.isCertain('timezoneOffset');
  const kind = isInstant ? 'instant' : hasTime ? (hasDay ? 'moment' : 'time') : 'day';
  const night = hasTime && !isInstant && !part ? placeInNight(result, said, hasDay) : null;
  const bareHour = isInstant || part || night ? null : bareHourOf(result);
  const placed = () => {
    if (isInstant) return instantOf(start, said, hasDay);
    if (part) return placeInPart(part, result, said, hasDay);
    if (night) return night;
    const time = hasTime ? { hour: start.get('hour') ?? 0, minute: start.get('minute') ?? 0 } : {};
    const named = dayOf(start, said).set(time);
    return bareHour === null ? named : placeBareHour(named, said, kind === 'moment');
  };
  const at = placed();
  const isOver = at < (kind === 'day' ? said.startOf('day') : said);
  const past = isOver || (!isInstant && PAST_WORDS.test(text));
  return { index, end: index + text.length, span: spanOf(result), kind, at, bareHour, past };
}

/** Returns the time of UTC that reads as this one does in its own zone. */
function asUtc(time: DateTime): DateTime {
  return time.setZone('utc', { keepLocalTime: true });
}

/** Returns the time that lies so far from when it was said, or the next one where an hour is named with its zone. */
function instantOf(start: ParsedComponents, said: DateTime, hasDay: boolean): DateTime {
  const isCounted = COUNTED.some((tag) => start.tags().has(tag));
  if (isCounted) return said.plus(start.date().getTime() - asUtc(said).toMillis());
  const named = DateTime.fromJSDate(start.date(), { zone: said.zone });
  const daysAhead = Math.floor(named.diff(said).as('days'));
  return hasDay ? named : named.minus({ hours: 24 * daysAhead });
}

/** Returns the span that is named instead of a day; null where a day or only a time is named. */
function spanOf({ start, text }: ParsedResult): FoundDate['span'] {
  const isNamed = (unit: 'day' | 'weekday' | 'month' | 'year') => start.isCertain(unit);
  if (WEEKEND.test(text) || (!isNamed('weekday') && WEEK.test(text))) return 'week';
  if (END_OF_SPAN.test(text)) return 'month';
  if (isNamed('day') || isNamed('weekday')) return null;
  return isNamed('month') ? 'month' : isNamed('year') ? 'year' : null;
}

/** Returns the midnight at which a named day begins. */
function dayOf(start: ParsedComponents, said: DateTime): DateTime {
  const [year, month, day] = (['year', 'month', 'day'] as const).map((unit) => start.get(unit) ?? said[unit]);
  const at = DateTime.fromObject({ year, month, day }, { zone: said.zone });
  // Chrono reads "a month" after 31 January as 3 March: its day overflows into the month after.
  const isCountedOn =
    start.tags().has('result/relativeDate') &&
    !start.isCertain('day') &&
    !start.isCertain('weekday') &&
    said.day > SHORTEST_MONTH &&
    at.day <= 31 - SHORTEST_MONTH;
  return isCountedOn ? at.minus({ days: at.day }) : at;
}

/** Moves the hour of a part of today that has begun into the rest of that part. */
function withinPart(named: DateTime, said: DateTime, overAt: number): DateTime {
  const isUnderWay = named <= said && named.hasSame(said, 'day') && said.hour < overAt;
  return isUnderWay ? said.plus({ hours: REST_OF_PART_HOURS }) : named;
}

/** Places a part of the day; alone it is the next one, as chrono would use an hour of its own. */
function placeInPart(
  [, hour, overAt]: (typeof DAY_PARTS)[number],
  { start, text }: ParsedResult,
  said: DateTime,
  hasDay: boolean,
): DateTime {
  if (hasDay) return withinPart(dayOf(start, said).set({ hour }), said, overAt);
  const at = withinPart(said.startOf('day').set({ hour }), said, overAt);
  return at <= said && !/\bthis\b/i.test(text) ? at.plus({ days: 1 }) : at;
}

/**
 * Places an hour that is named with the evening or the night: "at 12" is their midnight, and "tonight at 1" the hour
 * after it. Null for any other hour.
 */
function placeInNight({ start, text }: ParsedResult, said: DateTime, hasDay: boolean): DateTime | null {
  if (!NIGHT.test(text) && !EVENING.test(text)) return null;
  const hour = start.get('hour') ?? 0;
  const onFace = hour % 12;
  const day = (hasDay ? dayOf(start, said) : said.startOf('day')).set({ minute: start.get('minute') ?? 0 });
  const [early, late] = [day.set({ hour: onFace }), day.set({ hour: onFace + 12 })];
  const isToday = day.hasSame(said, 'day');
  const isNight = AT_NIGHT.test(text) || (isToday && (late <= said || said.hour < FIRST_HOUR));
  const begins = EVENING.test(text) ? 1 : isNight ? FIRST_HOUR : EVENING_BEGINS;
  const isClear = start.isCertain('meridiem') && onFace > 0;
  if (isClear ? hour >= 12 : onFace >= begins) return late.plus({ days: hasDay || late > said ? 0 : 1 });
  const isDayAfter = isToday ? early <= said : onFace === 0 || !AT_NIGHT.test(text);
  return early.plus({ days: isDayAfter ? 1 : 0 });
}

/** Finds an hour up to eleven without "am", "pm" or "morning"; null for any other, and for one that is written as `08:30`. */
function bareHourOf({ start, text }: ParsedResult): number | null {
  const hour = start.isCertain('hour') ? start.get('hour') : null;
  const isClear = start.isCertain('meridiem') || /\b0\d:\d|\bmorning\b/i.test(text);
  return hour === null || isClear || hour < 1 || hour > 11 ? null : hour;
}

/**
 * Places an hour without "am" or "pm" where people mean it: the next time that a clock shows it today, and on another
 * day between six and six.
 * @param named its time before noon
 */
export function placeBareHour(named: DateTime, said: DateTime, isDayNamed: boolean): DateTime {
  if (named > said && named.hasSame(said, 'day')) return named;
  const inAfternoon = (day: DateTime) =>
    day.set({ hour: named.hour + 12, minute: named.minute, second: 0, millisecond: 0 });
  if (!isDayNamed && inAfternoon(said) > said) return inAfternoon(said);
  return named <= said || named.hour < FIRST_HOUR ? inAfternoon(named) : named;
}
