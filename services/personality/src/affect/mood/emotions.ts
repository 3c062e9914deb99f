import type { Pad } from '@kith/contracts';

/** The point of each OCC emotion in the mood's space (Gebhard 2005, ALMA). */
export const EMOTIONS = {
  admiration: { p: 0.5, a: 0.3, d: -0.2 },
  anger: { p: -0.51, a: 0.59, d: 0.25 },
  disliking: { p: -0.4, a: 0.2, d: 0.1 },
  disappointment: { p: -0.3, a: 0.1, d: -0.4 },
  // One printing has D = +.5; it shares pity's octant, so the sign is minus.
  distress: { p: -0.4, a: -0.2, d: -0.5 },
  fear: { p: -0.64, a: 0.6, d: -0.43 },
  'fears-confirmed': { p: -0.5, a: -0.3, d: -0.7 },
  gloating: { p: 0.3, a: -0.3, d: -0.1 },
  gratification: { p: 0.6, a: 0.5, d: 0.4 },
  gratitude: { p: 0.4, a: 0.2, d: -0.3 },
  'happy-for': { p: 0.4, a: 0.2, d: 0.2 },
  hate: { p: -0.6, a: 0.6, d: 0.3 },
  hope: { p: 0.2, a: 0.2, d: -0.1 },
  joy: { p: 0.4, a: 0.2, d: 0.1 },
  liking: { p: 0.4, a: 0.16, d: -0.24 },
  love: { p: 0.3, a: 0.1, d: 0.2 },
  pity: { p: -0.4, a: -0.2, d: -0.5 },
  pride: { p: 0.4, a: 0.3, d: 0.3 },
  relief: { p: 0.2, a: -0.3, d: 0.4 },
  remorse: { p: -0.3, a: 0.1, d: -0.6 },
  reproach: { p: -0.3, a: -0.1, d: 0.4 },
  resentment: { p: -0.2, a: -0.3, d: -0.2 },
  satisfaction: { p: 0.3, a: -0.2, d: 0.4 },
  shame: { p: -0.3, a: 0.1, d: -0.6 },
} as const satisfies Record<string, Pad>;

export type EmotionName = keyof typeof EMOTIONS;

/** Returns 1 for a pleasant emotion, -1 for an unpleasant one. */
export function pleasureOf(name: string): number {
  return Object.hasOwn(EMOTIONS, name) ? Math.sign(EMOTIONS[name as EmotionName].p) : 0;
}

/** One emotion felt once. */
export interface Emotion {
  name: EmotionName;
  /** In (0, 1]. */
  intensity: number;
}

/** Sums these emotions, each by its intensity and its worth, on top of `before`, bounded to [-1, 1]. */
export function sumOfEmotions(
  emotions: readonly Emotion[],
  worthOf: (name: EmotionName) => number | undefined,
  before = 0,
): number {
  const sum = emotions.reduce(
    (total, { name, intensity }) => total + (worthOf(name) ?? 0) * intensity,
    before,
  );
  return Math.min(1, Math.max(-1, sum));
}
