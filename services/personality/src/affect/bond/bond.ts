import { DAY_MS, type BondView, type SharedJoke } from '@kith/contracts';

/** A milestone, reached for the first time; `at` in milliseconds since the epoch. */
export type Milestone = Readonly<{ kind: BondView['milestones'][number]['kind']; at: number }>;

/**
 * The bond of a companion and a person as of their last exchange; each number in [0, 1], sentiment in [-1, 1]. Times in
 * milliseconds since the epoch.
 */
export interface Bond extends Pick<
  BondView,
  'familiarity' | 'affection' | 'trust' | 'interactions' | 'tension' | 'sentiment'
> {
  stage: Stage;
  /** True where tension overrides the stage. */
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

/** Tension passes by itself: what was said in a quarrel is half as sharp two days on. */
const TENSION_HALF_LIFE_MS = 2 * DAY_MS;

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

/** Returns the tension that is left of a bond at a time. */
export function tensionAt({ tension, lastSpokeAt }: Bond, time: number): number {
  return tension * remaining(time - (lastSpokeAt ?? time));
}

/** The part of a tension that is left after so long. */
export function remaining(passedMs: number): number {
  return 2 ** (-Math.max(0, passedMs) / TENSION_HALF_LIFE_MS);
}

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
function closenessOf(bond: { familiarity: number; affection: number; trust: number }): number {
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

/** Builds the bond as of now, as other services see it. */
export function bondView(bond: Bond, now: number, jokes: readonly SharedJoke[]): BondView {
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

function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
