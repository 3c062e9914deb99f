import { DateTime } from 'luxon';
import { type FoundDate, findDates, placeBareHour } from './find-dates.js';
import type { ComeBackRequest } from './find-requests.js';
import {
  POINTS_BACK,
  ONLY_SMALL_WORDS,
  isRequestToReturn,
  asksHow,
  OUTCOME,
  LATER,
  UNREAD_TIME,
} from './is-request-to-return.js';

// A day without a time: mid-morning, past most people's quiet hours.
export const DEFAULT_HOUR = 10;
// "how it went" is asked when the day it happened on is mostly over.
export const OUTCOME_HOUR = 18;
// Before this hour "tomorrow", left unsaid, is the day that is about to begin.
const NIGHT_ENDS_HOUR = 4;
// "Later" means after what they are doing now, but on the same day.
const LATER_HOURS = 3;

/** Finds the time to come back; undefined when the sentence does not ask for that, or names a time that can't be read. */
export function decideDueTime(request: ComeBackRequest, before: string, said: DateTime) {
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
  if (chosen) return placeInDay(withTimeOf(chosen, ahead, said), hour, said);
  if (LATER.test(request.rest))
    return { at: said.plus({ hours: LATER_HOURS }), exact: false, byClock: false };
  const told = datesIn(before).find((date) => !date.past);
  if (told && POINTS_BACK.test(request.rest)) return placeInDay(told, hour, said);
  // What is left of its dates is past: "remind me that we met on 3 May 2020".
  const unread = own.reduceRight(
    (rest, { index, end }) => rest.slice(0, index) + rest.slice(end),
    request.rest,
  );
  if (UNREAD_TIME.test(unread)) return undefined;
  return { at: nextDay(said, hour), exact: false, byClock: true };
}

function earliest(dates: readonly FoundDate[]): FoundDate | undefined {
  return dates.toSorted((one, other) => one.at.toMillis() - other.at.toMillis())[0];
}

/** Joins a day and a time with words between them: "tomorrow … at 5pm". */
function withTimeOf(date: FoundDate, others: readonly FoundDate[], said: DateTime): FoundDate {
  const time = date.kind === 'day' && others.find((other) => other.kind === 'time');
  if (!time) return date;
  const named = date.at.set({ hour: time.bareHour ?? time.at.hour, minute: time.at.minute });
  const at = time.bareHour === null ? named : placeBareHour(named, said, true);
  return { ...date, kind: 'moment', at };
}

function placeInDay({ kind, at }: FoundDate, hour: number, said: DateTime) {
  if (kind !== 'day') return { at, exact: true, byClock: kind !== 'instant' };
  const due = at.set({ hour });
  // "today", in the evening.
  const isAhead = due > said;
  return { at: isAhead ? due : said.plus({ hours: LATER_HOURS }), exact: false, byClock: isAhead };
}

function nextDay(said: DateTime, hour: number): DateTime {
  const day = said.hour < NIGHT_ENDS_HOUR ? said : said.plus({ days: 1 });
  return day.set({ hour, minute: 0, second: 0, millisecond: 0 });
}
