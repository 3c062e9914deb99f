import { DAY_MS, type BondView } from '@kith/contracts';
import { closenessOf, isStrained, nextStage, type Stage } from './stage.js';

/** A milestone, reached for the first time; `at` in milliseconds since the epoch. */
export type Milestone = Readonly<{ kind: BondView['milestones'][number]['kind']; at: number }>;

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
