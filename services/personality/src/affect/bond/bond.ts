import { DAY_MS, type RelationshipView, type SharedJoke } from '@kith/contracts';
import { sumOfEmotions, type Emotion, type EmotionName } from '../mood/emotions.js';
import { closenessOf, isStrained, nextStage, type Stage } from './stage.js';

/** A milestone, reached for the first time; `at` in milliseconds since the epoch. */
type Milestone = Readonly<{ kind: RelationshipView['milestones'][number]['kind']; at: number }>;

/**
 * The bond of a companion and a person as of their last exchange; each number in [0, 1], sentiment in [-1, 1]. Times in
 * milliseconds since the epoch.
 */
export interface Bond {
  familiarity: number;
  affection: number;
  trust: number;
  interactions: number;
  tension: number;
  sentiment: number;
  stage: Stage;
  /** Tension stands before the stage. */
  strained: boolean;
  milestones: readonly Milestone[];
  firstMetAt: number | null;
  lastSpokeAt: number | null;
}

/** The bond of strangers: nothing known, nothing held against anyone. */
export const STRANGERS: Bond = {
  familiarity: 0,
  affection: 0.5,
  trust: 0.5,
  interactions: 0,
  tension: 0,
  sentiment: 0,
  stage: 'stranger',
  strained: false,
  milestones: [],
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

/** Tension passes by itself: what was said in a quarrel is half as sharp two days on. */
const TENSION_HALF_LIFE_MS = 2 * DAY_MS;

/** A turn's full harshness, or its opposite, closes this part of the way to the end of the scale. */
const TENSION_STEP = 0.5;

/** Each turn's part in the moving average: the last twenty or so are what counts. */
const SENTIMENT_STEP = 0.1;

/** Numbers of exchanges that people count: an acquaintance, a habit, a long friendship. */
const EXCHANGES = [10, 100, 1_000] as const;

/** A year together is told of once, by the day. */
const YEAR_MS = 365 * DAY_MS;

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

/** Moves a bond by one more turn that was spoken at `at` and called up these emotions. */
export function afterTurn(bond: Bond, emotions: readonly Emotion[], at: number): Bond {
  const affection = meaningOf(emotions, 'affection');
  const trust = meaningOf(emotions, 'trust');
  const lastSpokeAt = Math.max(bond.lastSpokeAt ?? at, at);
  const changed = {
    ...bond,
    familiarity: toward(bond.familiarity, FAMILIARITY_STEP),
    affection: toward(bond.affection, affection * AFFECTION_STEP),
    trust: toward(bond.trust, trust * (trust < 0 ? TRUST_LOSS : TRUST_GAIN)),
    sentiment: bond.sentiment + (affection - bond.sentiment) * SENTIMENT_STEP,
    interactions: bond.interactions + 1,
    // Harsh words of a conversation that comes in late have passed by as much as the time since.
    tension: toward(tensionAt(bond, lastSpokeAt), -affection * TENSION_STEP * remaining(lastSpokeAt - at)),
    firstMetAt: Math.min(bond.firstMetAt ?? at, at),
    lastSpokeAt,
  };
  return {
    ...bondAt(changed, lastSpokeAt),
    milestones: [...bond.milestones, ...reachedBy(bond, changed, at)],
  };
}

/** Moves a bond to a later time: tension passes, and with it the strain. Nothing else changes in silence. */
export function bondAt(bond: Bond, now: number): Bond {
  const tension = tensionAt(bond, now);
  return {
    ...bond,
    tension,
    strained: isStrained(bond.strained, tension),
    stage: nextStage(bond.stage, closenessOf(bond)),
  };
}

/** Shows the bond now, as other services see it. */
export function bondView(bond: Bond, now: number, jokes: readonly SharedJoke[]): RelationshipView {
  const { stage, strained, firstMetAt, lastSpokeAt, milestones, ...rest } = bondAt(bond, now);
  const met: Milestone[] = firstMetAt === null ? [] : [{ kind: 'first-meeting', at: firstMetAt }];
  return {
    ...rest,
    jokes: [...jokes],
    stage: strained ? 'strained' : stage,
    milestones: [...met, ...milestones]
      .sort((one, other) => one.at - other.at)
      .map(({ kind, at }) => ({ kind, at: new Date(at).toISOString() })),
    firstMetAt: iso(firstMetAt),
    lastSpokeAt: iso(lastSpokeAt),
  };
}

function tensionAt({ tension, lastSpokeAt }: Bond, time: number): number {
  return tension * remaining(time - (lastSpokeAt ?? time));
}

/** The part of a tension that is left after so long. */
function remaining(passedMs: number): number {
  return 2 ** (-Math.max(0, passedMs) / TENSION_HALF_LIFE_MS);
}

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

function meaningOf(emotions: readonly Emotion[], side: 'affection' | 'trust'): number {
  return sumOfEmotions(emotions, (name) => MEANING[name]?.[side]);
}

/** Moves a value in [0, 1] by a part of what is left in that direction: it nears the ends and never passes. */
function toward(value: number, step: number): number {
  return value + step * (step < 0 ? value : 1 - value);
}

function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
