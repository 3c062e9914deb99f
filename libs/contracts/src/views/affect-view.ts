import { z } from 'zod';
import { IsoDay, IsoTime } from '../time/iso-time.js';
import { BondView } from './character-view.js';
import { MoodView, Pad, PersonId, TurnId } from '../values/words.js';

/** One step of the mood: what moved it, by how much, to where. */
export const MoodPoint = z.object({
  at: IsoTime,
  pad: Pad,
  /** Emotion at the viewer's own turn; null where time, or somebody else's turn, moved it. */
  emotion: z.string().nullable(),
  intensity: z.number().nullable(),
});
export type MoodPoint = z.infer<typeof MoodPoint>;

export const MoodCourse = z.object({
  now: MoodView,
  baseline: Pad,
  halfLifeMs: z.number().describe('wall time in which half of the distance to the baseline is gone'),
  series: z.array(MoodPoint),
  bond: BondView.nullable(),
});

/** Lets a mood decay: rest + (pad − rest) · 2^(−passed / halfLife). Time before its own changes nothing. */
export function decayedPad(pad: Pad, rest: Pad, halfLifeMs: number, passedMs: number): Pad {
  const left = 2 ** (-Math.max(0, passedMs) / halfLifeMs);
  const on = (axis: keyof Pad): number => rest[axis] + (pad[axis] - rest[axis]) * left;
  return { p: on('p'), a: on('a'), d: on('d') };
}

/** Cause of a move of the mood: the emotion at a turn, the turn's reading, and the change. */
export const AffectEventView = z.object({
  turnId: TurnId,
  personId: PersonId,
  at: IsoTime,
  emotion: z.string(),
  intensity: z.number(),
  /** OCC's variables, as read. */
  variables: z.record(z.string(), z.union([z.number(), z.string()])),
  appraiser: z.enum(['model', 'rules']),
  /** Change of the mood that everybody meets; null where that was not noted yet. */
  change: Pad.nullable(),
  mood: Pad.describe('mood after it, without what needs add'),
  /** Hope or fear that this is the outcome of; null where there is none. */
  settles: z
    .object({
      turnId: TurnId.describe('the turn it was told in'),
      kind: z.enum(['hoped', 'feared']),
      since: IsoTime,
      /** A few words of whoever told it, for them alone; null for others, and once it is forgotten. */
      about: z.string().nullable(),
    })
    .nullable()
    .default(null),
});
export type AffectEventView = z.infer<typeof AffectEventView>;
export const AffectEventList = z.object({
  events: z.array(AffectEventView),
  nextCursor: z.string().nullable(),
});

/** Two courses of a mood over the same turns. */
const ReplayCourse = z.object({ baseline: Pad, series: z.array(MoodPoint) });
export const Replay = z.object({
  turns: z.int(),
  /** Turns of a persona version that is not kept; they were felt with the one in force. */
  unknownVersions: z.int(),
  differing: z.int().describe('turns after which the replay differs from the log'),
  firstDifference: z
    .object({ turnId: TurnId, at: IsoTime, what: z.enum(['mood', 'offset', 'needs', 'bond']) })
    .nullable(),
  stored: ReplayCourse,
  replayed: ReplayCourse,
});
export type Replay = z.infer<typeof Replay>;

/** A day of the companion's, or a time. */
export const DayOrTime = z.union([IsoDay, IsoTime], {
  error: 'a day such as 2027-01-31, or a time with its offset',
});
