import type { Audience, ReasonKind } from '@kith/contracts';
import { whoseBirthday } from '../reasons/whose-birthday.js';
import { isAskedFor } from './decide-outreach.js';
import { startOfDay } from './quiet-hours.js';

/** A reason that another turn gave, or an earlier reading of this one. */
export interface OpenReason {
  turnId: string | null;
  companionId: string;
  audience: Audience | null;
  kind: ReasonKind;
  about: string;
  dueAt: Date;
}

/** A reason as a turn gives it. */
interface GivenReason extends OpenReason {
  exact: boolean;
  /** The person asked for it, whether or not it was promised as well. */
  asked: boolean;
}

// "In two hours", said again a few minutes later, gives a later time for the same promise.
const MAX_APART_MS = 10 * 60_000;

/**
 * Tells whether an open reason already covers this one.
 * - A date: the same day of the year, and nobody else's birthday.
 * - A follow-up: another follow-up, or a request, due at the same time.
 * - A request: the same words and time, by the same companion in the same place.
 * - A promise: any request or promise due within ten minutes of it, or on the same day if it names no hour, by the same
 *   companion in the same place but from another turn. A turn's own promise is merged with its request where both are
 *   read.
 */
export function isKnown(reason: GivenReason, open: readonly OpenReason[], timeZone: string): boolean {
  const yearDayOf = (at: Date) => startOfDay(at, timeZone).toFormat('MM-dd');
  const isDueWith = (one: OpenReason) => one.dueAt.getTime() === reason.dueAt.getTime();
  if (reason.kind === 'date')
    return open.some(
      (one) =>
        one.kind === 'date' &&
        yearDayOf(one.dueAt) === yearDayOf(reason.dueAt) &&
        whoseBirthday(one.about) === whoseBirthday(reason.about),
    );
  if (reason.kind === 'follow-up')
    return open.some((one) => (one.kind === 'follow-up' || isAskedFor(one.kind)) && isDueWith(one));
  const asked = open.filter(
    ({ kind, companionId, audience }) =>
      isAskedFor(kind) && companionId === reason.companionId && audience === reason.audience,
  );
  if (reason.asked)
    return asked.some((one) => isDueWith(one) && one.about.toLowerCase() === reason.about.toLowerCase());
  const dayOf = (at: Date) => startOfDay(at, timeZone).toMillis();
  return asked.some(
    ({ turnId, dueAt }) =>
      turnId !== reason.turnId &&
      (reason.exact
        ? Math.abs(dueAt.getTime() - reason.dueAt.getTime()) < MAX_APART_MS
        : dayOf(dueAt) === dayOf(reason.dueAt)),
  );
}
