import type { NoticedReason } from '../reasons/notice-reasons.js';
import { isSameReason } from './decide-unsaid.js';
import type { Audience, ReasonKind } from '@kith/contracts';
import { whoseBirthday, isCorrected } from '../reasons/whose-birthday.js';
import { type EarlierAttempt, isAskedFor, isOverdue, LAST_CALL_MS } from './decide-outreach.js';
import { startOfDay } from './quiet-hours.js';
import { nextYearly } from './next-yearly.js';

// More open reasons than this is someone trying it out, and each would be a message one day.
export const MAX_OPEN_INTENTIONS = 30;

/** An open reason, or a dropped one of the same turn. */
export type StoredReason = OpenReason & {
  id: string;
  yearly: boolean;
  status: 'open' | 'dropped';
  /** End of its turn. */
  saidAt: Date;
};

/**
 * Plans which reasons of a turn are stored, as far as there is room. Reasons that it gave before and that were dropped
 * stay dropped; a birthday that a later turn corrects is created as dropped, and open reasons that a created one corrects
 * are dropped once it is stored. Pure but for new ids.
 */
export function planNoticed(
  noticed: readonly NoticedReason[],
  turn: Pick<OpenReason, 'turnId' | 'companionId' | 'audience'> & { endedAt: Date },
  { stored, sent }: { stored: readonly StoredReason[]; sent: readonly SentBefore[] },
  { now, timeZone, newId }: { now: Date; timeZone: string; newId: () => string },
) {
  const { turnId, companionId, audience, endedAt } = turn;
  const dropped = stored.filter(({ status }) => status === 'dropped');
  const open = stored.filter(({ status }) => status === 'open');
  // A turn that is read again, or late, corrects nothing that was said after it.
  const earlier = open.filter(({ saidAt }) => saidAt <= endedAt);
  const later = open.filter(({ saidAt }) => saidAt > endedAt);
  const wanted = noticed.filter((reason) => !dropped.some((one) => isSameReason(one, reason)));
  const given = chooseUnsent(wanted, sent, { now, timeZone }).map((reason) => ({
    reason,
    known: open.find((one) => isKnown({ ...reason, turnId, companionId, audience }, [one], timeZone)),
  }));
  const created = given
    .flatMap(({ reason, known }) => (known ? [] : [{ id: newId(), ...reason }]))
    .slice(0, Math.max(0, MAX_OPEN_INTENTIONS - open.length))
    .map((row) => ({ ...row, correctedBy: later.find((one) => isCorrected(one, row))?.id ?? null }));
  return {
    created,
    corrected: created.flatMap((row) =>
      earlier.filter((one) => isCorrected(one, row)).map(({ id }) => ({ id, by: row.id })),
    ),
    repeated: given.flatMap(({ reason, known }) => (reason.asked && known ? [known.id] : [])),
  };
}

/** A reason that another turn gave, or an earlier reading of this one. */
export interface OpenReason extends Pick<NoticedReason, 'kind' | 'about' | 'dueAt'> {
  turnId: string | null;
  companionId: string;
  audience: Audience | null;
}

/** A reason as a turn gives it. */
type GivenReason = OpenReason & Pick<NoticedReason, 'exact' | 'asked'>;

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

/** A message that was sent for a reason of the same turn. */
export type SentBefore = Pick<EarlierAttempt, 'kind' | 'decidedAt'>;

/**
 * Leaves out reasons of a turn for which a message was already sent. After an edit it is unclear which
 * reason a message was for, so each message uses up one reason of its kind that was due by then, earliest first. A
 * yearly day is moved to the next year instead.
 */
export function chooseUnsent<Reason extends Pick<NoticedReason, 'kind' | 'dueAt' | 'yearly' | 'leapDay'>>(
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
export function isSameKind(one: ReasonKind, other: ReasonKind): boolean {
  return one === other || (isAskedFor(one) && isAskedFor(other));
}
