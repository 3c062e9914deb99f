import { DAY_MS, NeedName } from '@kith/contracts';
import { sumOfEmotions, type Emotion, type EmotionName } from '../mood/emotions.js';

/** The level of each need in [0, 1]; at 1 it is wholly unmet. */
export type NeedLevels = Readonly<Record<NeedName, number>>;

/** The needs as they were at a time, in milliseconds since the epoch. */
export interface NeedState {
  levels: NeedLevels;
  at: number;
}

/** The levels before anything happened: nothing presses, and nothing is wholly met. */
export const INITIAL_LEVELS: NeedLevels = { ...eachNeed(() => 0.3), rest: 0 };

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
 * Moves the levels by a turn that called up these emotions, in whatever order: emotions that meet a need and those that
 * go against it are summed up first, each by its intensity (`MET_BY`). The sums then lower or raise the level by their
 * share of the distance to the end of the scale.
 */
export function needsAfterTurn(levels: NeedLevels, emotions: readonly Emotion[]): NeedLevels {
  return eachNeed((need) => {
    const met = sumOfEmotions(emotions, (name) => MET_BY[name][need], IN_ANY_TURN[need]);
    return met > 0 ? levels[need] * (1 - met) : levels[need] - met * (1 - levels[need]);
  });
}

type MetNeeds = Readonly<Partial<Record<NeedName, number>>>;

/**
 * The effect of any exchange, whatever was felt in it: it is company, a little work, and something heard and answered.
 * Eight plain ones a day keep each need from pressing. Where talk calls up few emotions, as in a language that the rules
 * do not read, all but belonging would otherwise be wholly unmet within weeks, and stay so.
 */
const IN_ANY_TURN: MetNeeds = {
  belonging: 0.06,
  novelty: 0.06,
  competence: 0.03,
  autonomy: 0.03,
  play: 0.03,
  care: 0.03,
  rest: -0.01,
};

/**
 * The part of a need's level that an emotion meets at full intensity; below zero it goes against the need.
 * The emotion carries the appraisal's side of it: `pity` is a sorrow that somebody shared, `gratification` a
 * deed of its own that came out well, `liking` a thing it heard of. Rest is used up by what stirs.
 */
export const MET_BY: Readonly<Record<EmotionName, MetNeeds>> = {
  love: { belonging: 0.5, play: 0.1 },
  gratitude: { belonging: 0.3, competence: 0.3, rest: -0.02 },
  admiration: { belonging: 0.1, novelty: 0.2 },
  joy: { belonging: 0.25, play: 0.4, rest: -0.02 },
  'happy-for': { belonging: 0.25, care: 0.3, play: 0.15 },
  liking: { novelty: 0.35, play: 0.1 },
  disliking: { novelty: 0.1 },
  hope: { novelty: 0.1, care: 0.2 },
  fear: { care: 0.3, rest: -0.04 },
  'fears-confirmed': { care: 0.4, rest: -0.03 },
  pity: { care: 0.5, belonging: 0.1, rest: -0.02 },
  relief: { care: 0.2, rest: 0.05 },
  satisfaction: { competence: 0.2, care: 0.1 },
  disappointment: { competence: -0.1 },
  pride: { competence: 0.5, autonomy: 0.3 },
  gratification: { competence: 0.6, autonomy: 0.2 },
  shame: { competence: -0.3 },
  remorse: { competence: -0.3, rest: -0.03 },
  distress: { rest: -0.03 },
  reproach: { autonomy: -0.15, belonging: -0.05, rest: -0.02 },
  anger: { autonomy: -0.2, belonging: -0.1, rest: -0.05 },
  hate: { autonomy: -0.2, belonging: -0.1, rest: -0.05 },
  resentment: { belonging: -0.05 },
  gloating: {},
};

/**
 * Settings of the needs of a companion: the speed at which each moves by itself (a day takes 1 − e^(−perDay) of what is
 * left), and its importance in [0, 1]. At 0 it is never urgent.
 */
export type NeedSettings = Readonly<Record<NeedName, { perDay: number; weight: number }>>;

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

/** The settings of a persona that names some needs, or some of their numbers. */
export function needSettings(
  named: Partial<Record<NeedName, { perDay?: number | undefined; weight?: number | undefined }>> = {},
): NeedSettings {
  return eachNeed((need) => ({
    perDay: named[need]?.perDay ?? USUAL[need].perDay,
    weight: named[need]?.weight ?? USUAL[need].weight,
  }));
}

function eachNeed<T>(make: (need: NeedName) => T): Record<NeedName, T> {
  return Object.fromEntries(NeedName.options.map((need) => [need, make(need)])) as Record<NeedName, T>;
}
