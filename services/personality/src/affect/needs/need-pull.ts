import { NeedName, type Pad, type NeedView } from '@kith/contracts';
import { clamped, ORIGIN, plus, scaled } from '../mood/pad.js';
import { type NeedLevels, type NeedState, needsAt, type NeedSettings } from './needs.js';

/** The most by which all needs together move an axis of the mood: just enough to be noticed. */
export const MAX_NEED_PULL = 0.1;

/** Directions in which an urgent need draws the mood. Of our own choosing: ALMA has no needs. */
const COLOURS: Readonly<Record<NeedName, Pad>> = {
  belonging: { p: -0.12, a: 0.02, d: -0.04 },
  // Boredom: Mehrabian's octant of low pleasure, low arousal and low dominance.
  novelty: { p: -0.08, a: -0.12, d: -0.02 },
  competence: { p: -0.06, a: 0.02, d: -0.12 },
  autonomy: { p: -0.08, a: 0.08, d: -0.08 },
  rest: { p: -0.04, a: -0.14, d: -0.02 },
  play: { p: -0.04, a: 0.1, d: 0 },
  care: { p: -0.04, a: 0.04, d: -0.06 },
};

/** Returns the pull of the needs on the mood: at most `MAX_NEED_PULL` on each axis, the same towards everybody. */
export function needPull(levels: NeedLevels, settings: NeedSettings): Pad {
  const pull = NeedName.options.reduce(
    (sum, need) => plus(sum, scaled(COLOURS[need], urgencyOf(levels[need], settings[need].weight))),
    ORIGIN,
  );
  return clamped(pull, MAX_NEED_PULL);
}

/**
 * Makes a function that returns the pull of the needs at a time, from the states they were left in, in order of when
 * they are seen. The pull is nothing before the first of them. Ask it in order of time.
 */
export function needPulls(states: readonly (NeedState & { seenAt: number })[], settings: NeedSettings) {
  let next = 0;
  return (time: number) => {
    while ((states[next]?.seenAt ?? Infinity) <= time) next += 1;
    const state = states[next - 1];
    return state ? needPull(needsAt(state, settings, time), settings) : ORIGIN;
  };
}

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
