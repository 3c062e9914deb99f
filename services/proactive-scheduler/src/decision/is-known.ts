import type { Audience, ReasonKind } from '@kith/contracts';
import { isAskedFor } from './decide-outreach.js';
import { startOfDay } from './quiet-hours.js';

/** A reason to write that another turn, or this one read before, gave. */
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

// Said twice, "in two hours" is two times: messages this close to each other are one conversation.
const MAX_APART_MS = 10 * 60_000;

/**
 * Tells whether a reason says again what is open already. A day that matters is the same in whatever year it comes next; an
 * event told of twice is one event, also where they are to be asked about it then; a request is the same by its words and
 * its time. A promise of the companion's own words repeats whatever it is to come back to at that time, or on that day if
 * it names no hour, in the same place: "I'll remind you tomorrow at nine" a turn after the request. What one turn promises
 * beside its request is merged where it is read.
 */
export function isKnown(reason: GivenReason, open: readonly OpenReason[], timeZone: string): boolean {
  const yearDayOf = (at: Date) => startOfDay(at, timeZone).toFormat('MM-dd');
  const isDueWith = (one: OpenReason) => one.dueAt.getTime() === reason.dueAt.getTime();
  if (reason.kind === 'date')
    return open.some((one) => one.kind === 'date' && yearDayOf(one.dueAt) === yearDayOf(reason.dueAt));
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
