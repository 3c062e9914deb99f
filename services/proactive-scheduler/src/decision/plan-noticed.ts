import { isCorrected } from '../reasons/is-corrected.js';
import type { NoticedReason } from '../reasons/notice-reasons.js';
import { chooseUnsent, type SentBefore } from './choose-unsent.js';
import { isKnown, type OpenReason } from './is-known.js';

// More open reasons than this is someone trying it out, and each would be a message one day.
export const MAX_OPEN_INTENTIONS = 30;

/** Changes to a person's reasons by those of a turn. */
export interface NoticedPlan {
  created: (NoticedReason & { id: string })[];
  /** Open reasons that a created one corrects; they are dropped once it is stored. */
  corrected: { id: string; by: string }[];
  /** Ids of open requests that the turn repeats. */
  repeated: string[];
}

/** Plans what is stored of the reasons of a turn, as far as there is room. Pure but for new ids. */
export function planNoticed(
  noticed: readonly NoticedReason[],
  turn: Pick<OpenReason, 'turnId' | 'companionId' | 'audience'>,
  { open, sent }: { open: readonly (OpenReason & { id: string })[]; sent: readonly SentBefore[] },
  { now, timeZone, newId }: { now: Date; timeZone: string; newId: () => string },
): NoticedPlan {
  const { turnId, companionId, audience } = turn;
  const given = chooseUnsent(noticed, sent, { now, timeZone }).map((reason) => ({
    reason,
    known: open.find((one) => isKnown({ ...reason, turnId, companionId, audience }, [one], timeZone)),
  }));
  const created = given
    .flatMap(({ reason, known }) => (known ? [] : [{ id: newId(), ...reason }]))
    .slice(0, Math.max(0, MAX_OPEN_INTENTIONS - open.length));
  return {
    created,
    corrected: created.flatMap((row) =>
      open.filter((one) => isCorrected(one, row)).map(({ id }) => ({ id, by: row.id })),
    ),
    repeated: given.flatMap(({ reason, known }) => (reason.asked && known ? [known.id] : [])),
  };
}
