import { DAY_MS, NeedName, type NeedView, type Pad } from '@kith/contracts';
import { sumOfEmotions, type Emotion } from '../mood/emotions.js';
import { clamped, ORIGIN, plus, scaled } from '../mood/pad.js';
import { IN_ANY_TURN, MET_BY } from './met-by.js';

/** The level of each need in [0, 1]; at 1 it is wholly unmet. */
export type NeedLevels = Readonly<Record<NeedName, number>>;

/** The needs as they were at a time, in milliseconds since the epoch. */
export interface NeedState {
  levels: NeedLevels;
  at: number;
}

/** Settings of one need in one companion. */
export interface NeedSetting {
  /** Speed at which it moves by itself: a day takes 1 − e^(−perDay) of what is left. */
  perDay: number;
  /** Importance in [0, 1]. At 0 it is never urgent. */
  weight: number;
}
export type NeedSettings = Readonly<Record<NeedName, NeedSetting>>;

/**
 * For a persona that says nothing of a need: half unmet after two days to a week without anything that meets it,
 * so that a quiet weekend presses on nobody. Rest comes back within a night.
 */
const USUAL: NeedSettings = {
  belonging: { perDay: 0.2, weight: 0.6 },
  novelty: { perDay: 0.3, weight: 0.6 },
  competence: { perDay: 0.15, weight: 0.5 },
  autonomy: { perDay: 0.1, weight: 0.4 },
  rest: { perDay: 3, weight: 0.5 },
  play: { perDay: 0.25, weight: 0.5 },
  care: { perDay: 0.15, weight: 0.5 },
};

/** The levels before anything happened: nothing presses, and nothing is wholly met. */
export const SETTLED: NeedLevels = {
  belonging: 0.3,
  novelty: 0.3,
  competence: 0.3,
  autonomy: 0.3,
  rest: 0,
  play: 0.3,
  care: 0.3,
};

/** A need below this level is background: it colours nothing and is no reason for anything. */
const FELT_FROM = 0.4;

/** Needs colour a mood from behind: together they move no axis by more, which is just what somebody notices. */
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

/** The settings of a persona that names some needs, or some of their numbers. */
export function needSettings(
  named: Partial<Record<NeedName, { perDay?: number | undefined; weight?: number | undefined }>> = {},
): NeedSettings {
  return eachNeed((need) => ({
    perDay: named[need]?.perDay ?? USUAL[need].perDay,
    weight: named[need]?.weight ?? USUAL[need].weight,
  }));
}

/**
 * Moves the levels to a later time: level(t) = 1 − (1 − level(t0)) · e^(−perDay · days), and for rest, which quiet
 * meets, level(t0) · e^(−perDay · days). Time before `t0` changes nothing.
 */
export function needsAt({ levels, at }: NeedState, settings: NeedSettings, now: number): NeedLevels {
  const days = Math.max(0, now - at) / DAY_MS;
  return eachNeed((need) => {
    const passed = 1 - Math.exp(-settings[need].perDay * days);
    return levels[need] + (need === 'rest' ? -levels.rest : 1 - levels[need]) * passed;
  });
}

/**
 * Moves the levels by a turn that called up these emotions, in whatever order: what meets a need and what goes
 * against it are summed up first, each by its intensity (`met-by.ts`), and then take their part of the level,
 * or of what is left to the end of the scale.
 */
export function needsAfterTurn(levels: NeedLevels, emotions: readonly Emotion[]): NeedLevels {
  return eachNeed((need) => {
    const met = sumOfEmotions(emotions, (name) => MET_BY[name][need], IN_ANY_TURN[need]);
    return met > 0 ? levels[need] * (1 - met) : levels[need] - met * (1 - levels[need]);
  });
}

/** Returns the urgency of a need: nothing up to a level, then the square of what is beyond, by its weight. */
export function urgencyOf(level: number, weight: number): number {
  const beyond = Math.max(0, level - FELT_FROM) / (1 - FELT_FROM);
  return weight * beyond * beyond;
}

/** Returns the pull of the needs on the mood: at most `MAX_NEED_PULL` on each axis, the same towards everybody. */
export function needPull(levels: NeedLevels, settings: NeedSettings): Pad {
  const pull = NeedName.options.reduce(
    (sum, need) => plus(sum, scaled(COLOURS[need], urgencyOf(levels[need], settings[need].weight))),
    ORIGIN,
  );
  return clamped(pull, MAX_NEED_PULL);
}

/** The needs after a turn, and when a viewer may see what it did to them. */
export interface SeenNeeds extends NeedState {
  seenAt: number;
}

/**
 * Makes a function that returns the pull of the needs at a time, from the states they were left in, in order of when
 * they are seen. The pull is nothing before the first of them. Ask it in order of time.
 */
export function needPulls(states: readonly SeenNeeds[], settings: NeedSettings): (time: number) => Pad {
  let next = 0;
  return (time) => {
    while ((states[next]?.seenAt ?? Infinity) <= time) next += 1;
    const state = states[next - 1];
    return state ? needPull(needsAt(state, settings, time), settings) : ORIGIN;
  };
}

/** The needs as other services see them, the most urgent first. */
export function needViews(levels: NeedLevels, settings: NeedSettings): NeedView[] {
  return NeedName.options
    .map((need) => ({ need, level: levels[need], urgency: urgencyOf(levels[need], settings[need].weight) }))
    .sort((one, other) => other.urgency - one.urgency || other.level - one.level);
}

function eachNeed<T>(make: (need: NeedName) => T): Record<NeedName, T> {
  return Object.fromEntries(NeedName.options.map((need) => [need, make(need)])) as Record<NeedName, T>;
}
