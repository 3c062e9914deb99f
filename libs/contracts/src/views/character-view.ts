import { z } from 'zod';
import { IsoDay, IsoTime } from '../time/bounded-time.js';
import { TurnId } from '../values/words.js';

export const QuirkKind = z.enum(['interest', 'speech']);
export type QuirkKind = z.infer<typeof QuirkKind>;

/** A small habit: a subject it comes back to, or a phrase it likes to say. */
export const QuirkView = z.object({
  kind: QuirkKind,
  text: z.string(),
  /** In [0, 1]. */
  strength: z.number(),
  /** `persona`: its file has it; `reflection`: it was picked up in talk. */
  origin: z.enum(['persona', 'reflection']),
  since: IsoTime,
  /** The turns it comes from, as far as the asker may know of them. */
  sources: z.array(TurnId),
});

/** Needs of a companion. All but `rest` grow while nothing meets them; `rest` grows with talk. */
export const NeedName = z.enum(['belonging', 'novelty', 'competence', 'autonomy', 'rest', 'play', 'care']);
export type NeedName = z.infer<typeof NeedName>;

export const NeedView = z.object({
  need: NeedName,
  /** In [0, 1]: 0 is met, 1 is wholly unmet. */
  level: z.number(),
  /** In [0, 1]: how much it presses now; 0 while it is far from unmet. */
  urgency: z.number(),
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
