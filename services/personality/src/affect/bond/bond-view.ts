import type { BondView, SharedJoke } from '@kith/contracts';
import { type Milestone, type Bond, bondAt } from './bond.js';

/** Builds the bond as of now, as other services see it. */
export function bondView(bond: Bond, now: number, jokes: readonly SharedJoke[]): BondView {
  const { stage, strained, firstMetAt, lastSpokeAt, milestones, ...rest } = bondAt(bond, now);
  const met: Milestone[] = firstMetAt === null ? [] : [{ kind: 'first-meeting', at: firstMetAt }];
  return {
    ...rest,
    jokes: [...jokes],
    stage: strained ? 'strained' : stage,
    milestones: [...met, ...milestones]
      .sort((one, other) => one.at - other.at)
      .map(({ kind, at }) => ({ kind, at: new Date(at).toISOString() })),
    firstMetAt: iso(firstMetAt),
    lastSpokeAt: iso(lastSpokeAt),
  };
}

function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
