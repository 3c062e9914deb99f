import { sumOfEmotions, type Emotion, type EmotionName } from '../mood/emotions.js';

/**
 * The meaning of an emotion for the bond, in [-1, 1]. Sharing a hope, a fear or a sorrow is a sign of trust; the way
 * the person treated the companion moves affection. A thing disliked together says little.
 */
const MEANING: Partial<Record<EmotionName, { affection: number; trust: number }>> = {
  love: { affection: 1, trust: 0.6 },
  gratitude: { affection: 0.8, trust: 0.6 },
  gratification: { affection: 0.7, trust: 0.7 },
  admiration: { affection: 0.5, trust: 0.4 },
  liking: { affection: 0.3, trust: 0.1 },
  joy: { affection: 0.4, trust: 0.2 },
  'happy-for': { affection: 0.4, trust: 0.4 },
  pity: { affection: 0.2, trust: 0.5 },
  hope: { affection: 0.2, trust: 0.4 },
  fear: { affection: 0.1, trust: 0.4 },
  relief: { affection: 0.2, trust: 0.3 },
  satisfaction: { affection: 0.2, trust: 0.3 },
  disappointment: { affection: 0, trust: 0.2 },
  'fears-confirmed': { affection: 0.1, trust: 0.3 },
  anger: { affection: -0.8, trust: -0.7 },
  reproach: { affection: -0.5, trust: -0.5 },
  hate: { affection: -1, trust: -1 },
  resentment: { affection: -0.4, trust: -0.2 },
  gloating: { affection: -0.4, trust: -0.2 },
};

/** Sums up what emotions mean for one side of the bond. */
export function meaningOf(emotions: readonly Emotion[], side: 'affection' | 'trust'): number {
  return sumOfEmotions(emotions, (name) => MEANING[name]?.[side]);
}
