import type { RelationshipView } from '@kith/contracts';
import type { Emotion, EmotionName } from '../mood/emotions.js';

/** What there is between a companion and a person; each in [0, 1]. Times in milliseconds since the epoch. */
export interface Bond {
  familiarity: number;
  affection: number;
  trust: number;
  interactions: number;
  firstMetAt: number | null;
  lastSpokeAt: number | null;
}

/** Between strangers: nothing known, nothing held against anyone. */
export const STRANGERS: Bond = {
  familiarity: 0,
  affection: 0.5,
  trust: 0.5,
  interactions: 0,
  firstMetAt: null,
  lastSpokeAt: null,
};

/** Each turn closes this part of what is still unfamiliar: half after some 35 turns, most after a hundred. */
const FAMILIARITY_STEP = 0.02;

/** A turn's full affection or its opposite closes this part of the way to the end of the scale. */
const AFFECTION_STEP = 0.05;

/** Trust is built slowly and lost three times as fast. */
const TRUST_GAIN = 0.02;
const TRUST_LOSS = 0.06;

/**
 * What an emotion in a turn says about the bond, in [-1, 1]. Sharing a hope, a fear or a sorrow is a sign of
 * trust; how the person treated the companion moves affection. A thing disliked together says little.
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

/** The bond after one more turn that was spoken at `at` and called up these emotions. */
export function afterTurn(bond: Bond, emotions: readonly Emotion[], at: number): Bond {
  const affection = meaningOf(emotions, 'affection');
  const trust = meaningOf(emotions, 'trust');
  return {
    familiarity: toward(bond.familiarity, FAMILIARITY_STEP),
    affection: toward(bond.affection, affection * AFFECTION_STEP),
    trust: toward(bond.trust, trust * (trust < 0 ? TRUST_LOSS : TRUST_GAIN)),
    interactions: bond.interactions + 1,
    firstMetAt: Math.min(bond.firstMetAt ?? at, at),
    lastSpokeAt: Math.max(bond.lastSpokeAt ?? at, at),
  };
}

/** The bond as other services see it. */
export function bondView({ firstMetAt, lastSpokeAt, ...rest }: Bond): RelationshipView {
  return { ...rest, firstMetAt: iso(firstMetAt), lastSpokeAt: iso(lastSpokeAt) };
}

function meaningOf(emotions: readonly Emotion[], side: 'affection' | 'trust'): number {
  const sum = emotions.reduce(
    (total, { name, intensity }) => total + intensity * (MEANING[name]?.[side] ?? 0),
    0,
  );
  return Math.min(1, Math.max(-1, sum));
}

/** Moves a value in [0, 1] by a part of what is left in that direction: it nears the ends and never passes. */
function toward(value: number, step: number): number {
  return value + step * (step < 0 ? value : 1 - value);
}

function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
