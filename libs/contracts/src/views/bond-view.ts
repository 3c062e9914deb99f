import { z } from 'zod';
import { IsoDay, IsoTime } from '../time/bounded-time.js';
import { Audience, TurnId } from '../values/words.js';

/** Stage of a bond. While there is much tension it is `strained`, whatever it was before. */
export const BondStage = z.enum(['stranger', 'acquaintance', 'friend', 'close-friend', 'strained']);

export const Milestone = z.object({
  kind: z.enum(['first-meeting', 'exchanges-10', 'exchanges-100', 'exchanges-1000', 'a-year']),
  at: IsoTime,
});

/** Something the two laughed at that came back on a later day. */
export const SharedJoke = z.object({
  phrase: z.string(),
  /** The day of the first laugh. */
  day: IsoDay,
  /** The turns it comes from, in order. */
  turnIds: z.array(TurnId),
  audience: Audience,
});
export type SharedJoke = z.infer<typeof SharedJoke>;

export const BondView = z.object({
  stage: BondStage,
  /** Each in [0, 1]. */
  familiarity: z.number(),
  affection: z.number(),
  trust: z.number(),
  /** In [0, 1]: harsh words that were not made up for; half of it passes in two days. */
  tension: z.number(),
  /** In [-1, 1]: how the last twenty exchanges or so were. */
  sentiment: z.number(),
  /** In order of time. */
  milestones: z.array(Milestone),
  /** The one that came back most recently first. */
  jokes: z.array(SharedJoke),
  interactions: z.number().int(),
  firstMetAt: IsoTime.nullable(),
  lastSpokeAt: IsoTime.nullable(),
});
export type BondView = z.infer<typeof BondView>;
