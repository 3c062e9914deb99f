import type { ReasonKind } from '@kith/contracts';
import { isAskedFor, isOverdue, LAST_CALL_MS } from './decide-outreach.js';
import { nextYearly } from './next-yearly.js';

/** A message that was sent for a reason of the same turn. */
export interface SentBefore {
  kind: ReasonKind;
  decidedAt: Date;
}

/** A reason as a turn gives it. */
interface GivenReason {
  kind: ReasonKind;
  dueAt: Date;
  yearly: boolean;
  leapDay: boolean;
}

/**
 * Leaves out reasons of a turn for which a message was already sent. After an edit it is unclear which
 * reason a message was for, so each message uses up one reason of its kind that was due by then, earliest first. A
 * yearly day is moved to the next year instead.
 */
export function chooseUnsent<Reason extends GivenReason>(
  reasons: readonly Reason[],
  sent: readonly SentBefore[],
  { now, timeZone }: { now: Date; timeZone: string },
): Reason[] {
  const left = new Set(sent);
  const isSent = ({ kind, dueAt }: Reason) => {
    const its = [...left].find(
      (one) => isSameKind(one.kind, kind) && one.decidedAt.getTime() >= dueAt.getTime() - LAST_CALL_MS,
    );
    return its !== undefined && left.delete(its);
  };
  const aYearOn = (reason: Reason) => ({ ...reason, dueAt: nextYearly(reason, now, timeZone) });
  return reasons
    .toSorted((a, b) => a.dueAt.getTime() - b.dueAt.getTime())
    .flatMap((reason) => {
      if (!reason.yearly) return isSent(reason) ? [] : [reason];
      const coming = isOverdue(reason, now, timeZone) ? aYearOn(reason) : reason;
      return [isSent(coming) ? aYearOn(coming) : coming];
    });
}

/** Tells whether two kinds are the same. A request becomes a promise when the companion takes it up. */
function isSameKind(one: ReasonKind, other: ReasonKind): boolean {
  return one === other || (isAskedFor(one) && isAskedFor(other));
}
