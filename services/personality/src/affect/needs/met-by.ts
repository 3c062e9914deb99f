import type { NeedName } from '@kith/contracts';
import type { EmotionName } from '../mood/emotions.js';

type MetNeeds = Readonly<Partial<Record<NeedName, number>>>;

/** The effect of any exchange, whatever was felt in it: it is company, and a little work. */
export const IN_ANY_TURN: MetNeeds = { belonging: 0.06, rest: -0.01 };

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
