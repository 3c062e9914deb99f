import { boundTime } from '@kith/contracts';
import { textForRules } from '@kith/reading';
import type { ParsedComponents, ParsedResult } from 'chrono-node';
import * as en from 'chrono-node/en';

/** A question names its time within a few sentences; the parser of times reads what it is given many times. */
const MAX_ASKED = 500;

/** From one moment to before another. */
export interface TimeSpan {
  from: Date;
  to: Date;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A day is one in the person's zone, which a recall does not know: it may begin half a day off. A month bears that. */
const ZONE_MS = 12 * HOUR_MS;
/** Width of "three weeks ago", by its unit: half of one to each side. */
const UNITS: readonly [RegExp, number][] = [
  [/\byears?\b/iu, 365 * DAY_MS],
  [/\bmonths?\b/iu, 30 * DAY_MS],
  [/\bweeks?\b/iu, 7 * DAY_MS],
  [/\b(?:weekends?|fortnights?)\b/iu, 3 * DAY_MS],
  [/\bdays?\b/iu, DAY_MS],
];
const SEASONS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
const SEASON =
  /\b(?:(last|this|that|in|the|during(?: the)?) )?(spring|summer|autumn|fall|winter)(?: (?:of )?((?:19|20)\d\d))?\b/iu;
const LONE_YEAR = /\b(?:in|during|of|since|before|after|until) ((?:19|20)\d\d)\b/iu;
/** "May", "sun", "second": more often something else. */
const NOT_A_TIME = /^(?:sat|sun|mon|wed|mar|may|march|sec|second|now|today|the day)$/iu;

/**
 * The time a question asks about: "what did I say last March?", "where was I in 2024?". Null when it names none, or
 * one that lies ahead. English. Pure.
 */
export function readTime(asked: string, now: Date): TimeSpan | null {
  const query = textForRules(asked, MAX_ASKED);
  const span = seasonOf(query, now) ?? dateOf(query, now) ?? yearOf(query);
  if (!span || span.from.getTime() + ZONE_MS > now.getTime()) return null;
  const [from, to] = [boundTime(span.from), boundTime(span.to)];
  const before = relationOf(query);
  if (before === 'before') return { from: new Date(0), to: from };
  if (before === 'since') return { from, to: now };
  return { from, to };
}

function relationOf(query: string): 'before' | 'since' | 'in' {
  if (/\bsince\b/iu.test(query)) return 'since';
  return /\b(?:before|until)\b/iu.test(query) ? 'before' : 'in';
}

function dateOf(query: string, now: Date): TimeSpan | null {
  const found = en.GB.parse(query, { instant: now, timezone: 0 }).filter(
    ({ text, index }) =>
      !NOT_A_TIME.test(text) || /\b(?:in|on|last|this|since|before) $/iu.test(query.slice(0, index)),
  );
  const [first] = found;
  if (!first) return null;
  const start = spanOf(first, first.start, now);
  return first.end ? { from: start.from, to: spanOf(first, first.end, now).to } : start;
}

function spanOf({ text }: ParsedResult, part: ParsedComponents, now: Date): TimeSpan {
  const at = utcOf(part);
  const isDay = part.isCertain('day') || part.isCertain('weekday');
  const unit = UNITS.find(([word]) => word.test(text));
  if (
    unit &&
    (!isDay || /\bago\b/iu.test(text)) &&
    !/\b(?:year|month)\b/iu.test(text.split(/\bago\b/iu).at(-1)!)
  ) {
    return {
      from: new Date(at.getTime() - unit[1] / 2 - ZONE_MS),
      to: new Date(at.getTime() + unit[1] / 2 + ZONE_MS),
    };
  }
  if (isDay) return widened(at, new Date(at.getTime() + DAY_MS));
  const year = at.getUTCFullYear();
  if (part.isCertain('month')) {
    const month = at.getUTCMonth();
    // "In March", said in January, is last year's.
    const past = Date.UTC(year, month, 1) > now.getTime() && !part.isCertain('year') ? year - 1 : year;
    return { from: new Date(Date.UTC(past, month, 1)), to: new Date(Date.UTC(past, month + 1, 1)) };
  }
  if (part.isCertain('year')) return wholeYear(year);
  return widened(at, new Date(at.getTime() + DAY_MS));
}

function utcOf(part: ParsedComponents): Date {
  return new Date(Date.UTC(part.get('year')!, part.get('month')! - 1, part.get('day')!));
}

function seasonOf(query: string, now: Date): TimeSpan | null {
  const [, which, season, named] = SEASON.exec(query) ?? [];
  if (season === undefined || (which === undefined && named === undefined)) return null;
  const month = SEASONS[season.toLowerCase()]!;
  let year = named === undefined ? now.getUTCFullYear() : Number(named);
  const begins = () => Date.UTC(year, month, 1);
  // The last one that has begun; "last summer", said in summer, is the one before.
  while (named === undefined && begins() > now.getTime()) year -= 1;
  if (named === undefined && which?.toLowerCase() === 'last' && Date.UTC(year, month + 3, 1) > now.getTime())
    year -= 1;
  return { from: new Date(begins()), to: new Date(Date.UTC(year, month + 3, 1)) };
}

function yearOf(query: string): TimeSpan | null {
  const [, year] = LONE_YEAR.exec(query) ?? [];
  return year === undefined ? null : wholeYear(Number(year));
}

function wholeYear(year: number): TimeSpan {
  return { from: new Date(Date.UTC(year, 0, 1)), to: new Date(Date.UTC(year + 1, 0, 1)) };
}

function widened(from: Date, to: Date): TimeSpan {
  return { from: new Date(from.getTime() - ZONE_MS), to: new Date(to.getTime() + ZONE_MS) };
}
