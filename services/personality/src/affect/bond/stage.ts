/** Stages of a bond, from the furthest to the closest. */
export const STAGES = ['stranger', 'acquaintance', 'friend', 'close-friend'] as const;
export type Stage = (typeof STAGES)[number];

/**
 * Closeness from which a stage is reached, and below which it is lost again. The gap between the two keeps a pair
 * on the edge from changing with every turn. An acquaintance after some five exchanges, a friend after forty
 * warm ones or sixty plain ones, a close friend only where there is affection and trust beyond the usual.
 */
const REACHED: Readonly<Record<Stage, { from: number; until: number }>> = {
  stranger: { from: 0, until: 0 },
  acquaintance: { from: 0.04, until: 0.02 },
  friend: { from: 0.35, until: 0.28 },
  'close-friend': { from: 0.62, until: 0.54 },
};

/** Two harsh exchanges in a row strain a bond; three kind ones, or two days, ease it. */
const STRAINED_FROM = 0.5;
const EASED_BELOW = 0.3;

/** Returns the closeness of two in [0, 1]: familiarity, weighted by affection and trust. */
export function closenessOf(bond: { familiarity: number; affection: number; trust: number }): number {
  return (bond.familiarity * (bond.affection + bond.trust)) / 2;
}

/** Returns the stage that follows from where the two were and how close they are now. */
export function nextStage(before: Stage, closeness: number): Stage {
  const held = STAGES.indexOf(before);
  const isOf = (stage: Stage, n: number) =>
    closeness >= (n <= held ? REACHED[stage].until : REACHED[stage].from);
  return STAGES.findLast(isOf) ?? 'stranger';
}

/** Tells whether a bond is strained, given whether it was before. */
export function isStrained(was: boolean, tension: number): boolean {
  return tension >= (was ? EASED_BELOW : STRAINED_FROM);
}
