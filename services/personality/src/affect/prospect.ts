import { DAY_MS } from '@kith/contracts/durations';
import type { Appraisal } from './appraisal.js';

/** A hope or fear of somebody's, as they told it. */
export interface Prospect {
  id: string;
  /** The turn it was told in. */
  turnId: string;
  kind: 'hoped' | 'feared';
  /** Their words for it, a few. */
  about: string;
  /** Value for the one it concerns; below zero where it is feared. */
  desirability: number;
  likelihood: number;
  /** Milliseconds since the epoch. */
  since: number;
}

/** An event as read in a turn, with what it has to do with prospects told before. */
export interface ReadEvent extends Appraisal {
  /** The open prospect that this settles, by its number from 1 on. */
  settles?: number | undefined;
  /** Words for what is hoped or feared, where this is a prospect. */
  about?: string | undefined;
}

/** A prospect on its way into the record. */
export type NewProspect = Omit<Prospect, 'id' | 'turnId' | 'since'>;

/** The open prospects of somebody when a turn was said. */
export interface OpenProspects {
  open: readonly Prospect[];
  /** The turn's time, in milliseconds since the epoch. */
  at: number;
}

/** No prospects: nothing was told before. */
export const NOTHING_AHEAD: OpenProspects = { open: [], at: 0 };

/** A prospect that nobody came back to in a quarter of a year is given up. */
export const OPEN_FOR_MS = 90 * DAY_MS;
/** A dozen at once are moods and not prospects; the oldest go. */
export const MAX_OPEN = 12;
