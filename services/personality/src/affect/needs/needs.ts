import { DAY_MS, NeedName } from '@kith/contracts';
import { sumOfEmotions, type Emotion } from '../mood/emotions.js';
import { IN_ANY_TURN, MET_BY } from './met-by.js';
import { type NeedSettings, eachNeed } from './need-settings.js';

/** The level of each need in [0, 1]; at 1 it is wholly unmet. */
export type NeedLevels = Readonly<Record<NeedName, number>>;

/** The needs as they were at a time, in milliseconds since the epoch. */
export interface NeedState {
  levels: NeedLevels;
  at: number;
}

/** The levels before anything happened: nothing presses, and nothing is wholly met. */
export const INITIAL_LEVELS: NeedLevels = {
  belonging: 0.3,
  novelty: 0.3,
  competence: 0.3,
  autonomy: 0.3,
  rest: 0,
  play: 0.3,
  care: 0.3,
};

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
