import { NeedName, type NeedView } from '@kith/contracts';
import type { NeedSettings } from './need-settings.js';
import type { NeedLevels } from './needs.js';

/** A need below this level is background: it colours nothing and is no reason for anything. */
const FELT_FROM = 0.4;

/** Returns the urgency of a need: nothing up to a level, then the square of what is beyond, by its weight. */
export function urgencyOf(level: number, weight: number): number {
  const beyond = Math.max(0, level - FELT_FROM) / (1 - FELT_FROM);
  return weight * beyond * beyond;
}

/** The needs as other services see them, the most urgent first. */
export function needViews(levels: NeedLevels, settings: NeedSettings): NeedView[] {
  return NeedName.options
    .map((need) => ({ need, level: levels[need], urgency: urgencyOf(levels[need], settings[need].weight) }))
    .sort((one, other) => other.urgency - one.urgency || other.level - one.level);
}
