import { type Emotion, sumOfEmotions, type EmotionName } from '../mood/emotions.js';
import { type Bond, bondAt, tensionAt, remaining, type Milestone, isStrained } from './bond.js';
import { DAY_MS } from '@kith/contracts';

/** Each turn closes this part of what is still unfamiliar: half after some 35 turns, most after a hundred. */
const FAMILIARITY_STEP = 0.02;

/** A turn's full affection or its opposite closes this part of the way to the end of the scale. */
const AFFECTION_STEP = 0.05;

/** Trust is built slowly and lost three times as fast. */
const TRUST_GAIN = 0.02;
const TRUST_LOSS = 0.06;

/** A turn's full harshness, or its opposite, closes this part of the way to the end of the scale. */
const TENSION_STEP = 0.5;

/** Each turn's part in the moving average: the last twenty or so are what counts. */
const SENTIMENT_STEP = 0.1;

/** Moves a bond by one more turn that was spoken at `at` and called up these emotions. */
export function afterTurn(bond: Bond, emotions: readonly Emotion[], at: number): Bond {
  const affection = meaningOf(emotions, 'affection');
  const trust = meaningOf(emotions, 'trust');
  const lastSpokeAt = Math.max(bond.lastSpokeAt ?? at, at);
  const tension = tensionAt(bond, lastSpokeAt);
  const changed = {
    ...bond,
    // Once time has eased a strain, a new quarrel counts as a new strain.
    strained: isStrained(bond.strained, tension),
    familiarity: toward(bond.familiarity, FAMILIARITY_STEP),
    affection: toward(bond.affection, affection * AFFECTION_STEP),
    trust: toward(bond.trust, trust * (trust < 0 ? TRUST_LOSS : TRUST_GAIN)),
    sentiment: bond.sentiment + (affection - bond.sentiment) * SENTIMENT_STEP,
    interactions: bond.interactions + 1,
    // Harsh words that come in late have already faded by the time that has passed since.
    tension: toward(tension, -affection * TENSION_STEP * remaining(lastSpokeAt - at)),
    firstMetAt: Math.min(bond.firstMetAt ?? at, at),
    lastSpokeAt,
  };
  return {
    ...bondAt(changed, lastSpokeAt),
    milestones: [...bond.milestones, ...reachedBy(bond, changed, at)],
  };
}

/** Moves a value in [0, 1] by a part of what is left in that direction: it nears the ends and never passes. */
function toward(value: number, step: number): number {
  return value + step * (step < 0 ? value : 1 - value);
}

/** Numbers of exchanges that people count: an acquaintance, a habit, a long friendship. */
const EXCHANGES = [10, 100, 1_000] as const;

/** A year together is a milestone once, and later years are none. */
const YEAR_MS = 365 * DAY_MS;

/** Lists the milestones that this turn was the first to reach. Those from before milestones were kept are not known. */
function reachedBy(before: Bond, after: Bond, at: number): Milestone[] {
  const exchanges = EXCHANGES.filter((count) => after.interactions === count);
  const isYear =
    at - (after.firstMetAt ?? at) >= YEAR_MS && !before.milestones.some(({ kind }) => kind === 'a-year');
  return [
    ...exchanges.map((count) => ({ kind: `exchanges-${count}` as const, at })),
    ...(isYear ? [{ kind: 'a-year' as const, at }] : []),
  ];
}

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
function meaningOf(emotions: readonly Emotion[], side: 'affection' | 'trust'): number {
  return sumOfEmotions(emotions, (name) => MEANING[name]?.[side]);
}
