import type { ParsedResult } from 'chrono-node';
import * as en from 'chrono-node/en';
import { DateTime } from 'luxon';

/** A date or time in what somebody said, as their own clock reads it. */
export interface FoundDate {
  /** Its place in the text, from `index` up to `end`. */
  index: number;
  end: number;
  /**
   * `instant` is exact ("in 2 hours"), `moment` names day and time, `day` has no time of day, `time` no day.
   * A `day` stands at midnight, unless it names a part of the day ("tomorrow morning" is a `moment`).
   */
  kind: 'instant' | 'moment' | 'day' | 'time';
  at: DateTime;
  /** It lies before the moment it was said, by its words ("last Friday") or by its date. */
  past: boolean;
}

/** Hours that people mean by a part of the day. Chrono's own guesses put "tonight" at 22:00 and "morning" at 6:00. */
const DAY_PARTS: readonly [RegExp, number][] = [
  [/\bmorning\b/i, 9],
  [/\bnoon\b/i, 12],
  [/\bafternoon\b/i, 15],
  [/\bevening\b/i, 19],
  [/\b(?:to)?night\b/i, 20],
];

// Words that are more often something else ("I sat down", "you may"); with "on" or "in" before them they are dates.
const LONE_ABBREVIATION = /^(?:sat|sun|mon|wed|mar|may|march|sec|second|now)$/i;

const PAST_WORDS = /\b(?:last|past|yesterday|ago)\b/i;

/**
 * Finds the dates in a text, in order, as its speaker meant them when they said it.
 *
 * Days and times are read off the speaker's clock and placed in their zone, so a summer-time change in between
 * moves the instant and not the hour; durations in hours and minutes are exact.
 */
export function findDates(text: string, saidAt: Date, zone: string): FoundDate[] {
  const said = DateTime.fromJSDate(saidAt, { zone });
  return en.casual
    .parse(text, { instant: saidAt, timezone: said.offset }, { forwardDate: true })
    .filter((result) => !LONE_ABBREVIATION.test(result.text))
    .map((result) => readDate(result, said));
}

function readDate(result: ParsedResult, said: DateTime): FoundDate {
  const { start } = result;
  const place = { index: result.index, end: result.index + result.text.length };
  if (start.isCertain('timezoneOffset')) {
    const at = DateTime.fromJSDate(result.date()).setZone(said.zone);
    return { ...place, kind: 'instant', at, past: at < said };
  }
  const part = start.isCertain('hour') ? undefined : DAY_PARTS.find(([word]) => word.test(result.text))?.[1];
  const hasTime = start.isCertain('hour') || part !== undefined;
  const hasDay = (['day', 'weekday', 'month'] as const).some((component) => start.isCertain(component));
  const at = DateTime.fromObject(
    {
      year: start.get('year') ?? said.year,
      month: start.get('month') ?? said.month,
      day: start.get('day') ?? said.day,
      hour: hasTime ? (part ?? start.get('hour') ?? 0) : 0,
      minute: hasTime && part === undefined ? (start.get('minute') ?? 0) : 0,
    },
    { zone: said.zone },
  );
  const kind = hasTime ? (hasDay ? 'moment' : 'time') : 'day';
  const over = kind === 'day' ? at < said.startOf('day') : at < said;
  return { ...place, kind, at, past: over || PAST_WORDS.test(result.text) };
}
