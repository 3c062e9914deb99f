import type { ReasonKind } from '@kith/contracts';
import type { NoticedReason } from '../reasons/notice-reasons.js';

/** A decision on an open reason: `unsay` where the turn no longer gives it. */
export type UnsaidDecision = { kind: 'keep' } | { kind: 'change'; to: ReasonKind } | { kind: 'unsay' };

/**
 * Decides on an open reason of a turn that was read again. A promise that the turn no longer gives is unsaid, and so is
 * what is outdated; a promise that was a request as well is a request again. Pure.
 * @param isOwn the turn is the one that the reason is stored under, and not only repeats it
 */
export function decideUnsaid(
  { kind, about, dueAt }: { kind: string; about: string; dueAt: Date },
  isOwn: boolean,
  { noticed, outdated }: { noticed: readonly NoticedReason[]; outdated: readonly NoticedReason[] },
): UnsaidDecision {
  const isIt = (one: NoticedReason) => one.about === about && one.dueAt.getTime() === dueAt.getTime();
  const now = noticed.find(isIt);
  if (!now)
    return (isOwn && kind === 'promise') || outdated.some(isIt) ? { kind: 'unsay' } : { kind: 'keep' };
  const isAskedFor = kind === 'promise' || kind === 'request';
  return isOwn && isAskedFor && now.kind !== kind ? { kind: 'change', to: now.kind } : { kind: 'keep' };
}
