import type { ReasonKind } from '@kith/contracts';
import { isBoundedTime } from '@kith/contracts/time-bounds';
import { DateTime } from 'luxon';
import { noticeEvents } from './notice-events.js';
import { noticeIntentions, type NoticedIntention, type SaidMessage } from './notice-intentions.js';
import { noticePromises } from './notice-promises.js';
import { yearsOn } from './years-on.js';

/** A reason to write that a turn gave. */
export interface NoticedReason extends NoticedIntention {
  kind: ReasonKind;
  /** The person asked for it, whether or not it was promised as well. */
  asked: boolean;
  /** True for a day that comes every year. */
  yearly: boolean;
  /** True for 29 February, which is put on another day in a year without one. */
  leapDay: boolean;
}

export interface SaidInTurn {
  person: readonly SaidMessage[];
  companion: readonly SaidMessage[];
}

/**
 * Finds the reasons to write in a turn: what the person asked for, what they told of, what the companion promised.
 * One thing said three ways is one reason: a promise to do what was asked for, on that day, makes the request a
 * promise, and an event with a request of its own gives no second reason. A birthday on such a day is kept for the
 * years after.
 */
export function noticeReasons({ person, companion }: SaidInTurn, timeZone: string): NoticedReason[] {
  const dayOf = ({ dueAt }: NoticedIntention) =>
    DateTime.fromJSDate(dueAt, { zone: timeZone }).toFormat('yyyy-MM-dd');
  const asked = noticeIntentions(person, timeZone).map((one): NoticedReason => ({
    ...one,
    kind: 'request',
    asked: true,
    yearly: false,
    leapDay: false,
  }));
  for (const promise of noticePromises(companion, timeZone)) {
    const same = asked.find((one) => dayOf(one) === dayOf(promise) && one.kind === 'request');
    if (same) same.kind = 'promise';
    else if (!asked.some((one) => dayOf(one) === dayOf(promise))) {
      asked.push({ ...promise, kind: 'promise', asked: false, yearly: false, leapDay: false });
    }
  }
  const days = new Set(asked.map(dayOf));
  const told = noticeEvents(person, timeZone).flatMap((event): NoticedReason[] => {
    const reason = { ...event, asked: false, yearly: event.kind === 'date' };
    if (!days.has(dayOf(event))) return [reason];
    return reason.yearly ? [{ ...reason, dueAt: yearsOn(event, 1, timeZone) }] : [];
  });
  const byKindAndDay = Map.groupBy(told, (event) => `${event.kind} ${dayOf(event)}`);
  const firstTold = [...byKindAndDay.values()].flatMap((events) => events.slice(0, 1));
  return [...asked, ...firstTold].filter(({ dueAt }) => isBoundedTime(dueAt));
}
