import { z } from 'zod';
import { IsoDay, IsoTime } from '../time/iso-time.js';
import { Audience, TurnId } from '../values/words.js';

export const QuirkKind = z.enum(['interest', 'speech']);
export type QuirkKind = z.infer<typeof QuirkKind>;

/** A small habit: a subject it comes back to, or a phrase it likes to say. */
export const QuirkView = z.object({
  kind: QuirkKind,
  text: z.string(),
  strength: z.number().describe('in [0, 1]'),
  /** `persona`: its file has it; `reflection`: it was picked up in talk. */
  origin: z.enum(['persona', 'reflection']),
  since: IsoTime,
  sources: z.array(TurnId).describe('the turns it comes from, as far as the asker may know of them'),
});

/** Needs of a companion. All but `rest` grow while nothing meets them; `rest` grows with talk. */
export const NeedName = z.enum(['belonging', 'novelty', 'competence', 'autonomy', 'rest', 'play', 'care']);
export type NeedName = z.infer<typeof NeedName>;

export const NeedView = z.object({
  need: NeedName,
  level: z.number().describe('in [0, 1]: 0 is met, 1 is wholly unmet'),
  urgency: z.number().describe('in [0, 1]: how much it presses now; 0 while it is far from unmet'),
});
export type NeedView = z.infer<typeof NeedView>;

export const DiaryEntryView = z.object({
  day: IsoDay,
  /** In first person, without anybody's words or name; `[1]` refers to a source. Moments of others are left out. */
  text: z.string(),
  /** Turns that the text refers to, as far as the asker may know of them. */
  sources: z.array(z.object({ number: z.int(), turnId: TurnId })),
});
export type DiaryEntryView = z.infer<typeof DiaryEntryView>;

/** Stage of a bond. While there is much tension it is `strained`, whatever it was before. */
export const BondStage = z.enum(['stranger', 'acquaintance', 'friend', 'close-friend', 'strained']);

export const Milestone = z.object({
  kind: z.enum(['first-meeting', 'exchanges-10', 'exchanges-100', 'exchanges-1000', 'a-year']),
  at: IsoTime,
});

/** Something the two laughed at that came back on a later day. */
export const SharedJoke = z.object({
  phrase: z.string(),
  day: IsoDay.describe('the day of the first laugh'),
  turnIds: z.array(TurnId).describe('the turns it comes from, in order'),
  audience: Audience,
});
export type SharedJoke = z.infer<typeof SharedJoke>;

export const BondView = z.object({
  stage: BondStage,
  familiarity: z.number().describe('in [0, 1], as `affection` and `trust`'),
  affection: z.number(),
  trust: z.number(),
  /** In [0, 1]: harsh words that were not made up for; half of it passes in two days. */
  tension: z.number(),
  sentiment: z.number().describe('in [-1, 1]: how the last twenty exchanges or so were'),
  milestones: z.array(Milestone).describe('in order of time'),
  jokes: z.array(SharedJoke).describe('the one that came back most recently first'),
  interactions: z.number().int(),
  firstMetAt: IsoTime.nullable(),
  lastSpokeAt: IsoTime.nullable(),
});
export type BondView = z.infer<typeof BondView>;
