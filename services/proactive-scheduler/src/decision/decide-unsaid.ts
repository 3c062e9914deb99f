import type { ReasonKind } from '@kith/contracts';
import type { NoticedReason } from '../reasons/notice-reasons.js';

/** A decision on a stored reason: `unsay` where the turn no longer gives it. */
export type UnsaidDecision =
  | { kind: 'keep' }
  | { kind: 'change'; to: ReasonKind; asked: boolean }
  | { kind: 'unsay' };

/**
 * Decides on a stored reason of a turn that was read again. If the turn no longer gives it, its own promise is unsaid,
 * and so is an outdated or dropped reason. A promise that the person also asked for becomes a request again. Pure.
 * @param isOwn true where the reason is stored under this turn; false where the turn only repeats it
 */
export function decideUnsaid(
  reason: Pick<NoticedReason, 'about' | 'dueAt' | 'yearly' | 'asked'> & { kind: string; status: string },
  isOwn: boolean,
  { noticed, outdated }: { noticed: readonly NoticedReason[]; outdated: readonly NoticedReason[] },
): UnsaidDecision {
  const { kind, status } = reason;
  const isIt = (one: NoticedReason) => isSameReason(one, reason);
  const now = noticed.find(isIt);
  if (!now)
    return status === 'dropped' || (isOwn && kind === 'promise') || outdated.some(isIt)
      ? { kind: 'unsay' }
      : { kind: 'keep' };
  const isAskedFor = kind === 'promise' || kind === 'request';
  const isOther = now.kind !== kind || now.asked !== reason.asked;
  return isOwn && isAskedFor && isOther
    ? { kind: 'change', to: now.kind, asked: now.asked }
    : { kind: 'keep' };
}

type DatedReason = Pick<NoticedReason, 'about' | 'dueAt' | 'yearly'>;

/** Tells whether two readings of a turn give the same reason. A yearly day may have moved to another year. */
export function isSameReason(one: DatedReason, other: DatedReason): boolean {
  const isSameTime = one.dueAt.getTime() === other.dueAt.getTime() || (one.yearly && other.yearly);
  return isSameTime && one.about.toLowerCase() === other.about.toLowerCase();
}
