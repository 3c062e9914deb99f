import { isCorrected } from '../reasons/is-corrected.js';
import type { NoticedReason } from '../reasons/notice-reasons.js';
import { chooseUnsent, type SentBefore } from './choose-unsent.js';
import { isKnown, type OpenReason } from './is-known.js';
import { isSameReason } from './is-same-reason.js';

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

/** Changes to a person's reasons by those of a turn. */
export interface NoticedPlan {
  /** A birthday that a later turn corrects is created as dropped. */
  created: (NoticedReason & { id: string; correctedBy: string | null })[];
  /** Open reasons that a created one corrects; they are dropped once it is stored. */
  corrected: { id: string; by: string }[];
  /** Ids of open requests that the turn repeats. */
  repeated: string[];
}

/**
 * Plans which reasons of a turn are stored, as far as there is room. Reasons that it gave before and that were dropped
 * stay dropped. Pure but for new ids.
 */
export function planNoticed(
  noticed: readonly NoticedReason[],
  turn: Pick<OpenReason, 'turnId' | 'companionId' | 'audience'> & { endedAt: Date },
  { stored, sent }: { stored: readonly StoredReason[]; sent: readonly SentBefore[] },
  { now, timeZone, newId }: { now: Date; timeZone: string; newId: () => string },
): NoticedPlan {
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
