import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { Uuid } from '../values/words.js';

/** Result of a snapshot's check, in counts. */
export const EpochFindings = z.object({
  /** Lines that left the prompt, or are told in short from then on. */
  lines: z.number().int(),
  /** Questions with known answers that were put to it, and how many it answered at once. */
  probes: z.number().int(),
  held: z.number().int(),
  /** Number of questions that the fast model made; the rest are made by rules. */
  byModel: z.number().int().default(0),
  /** Lines that were added for questions it could not answer. */
  added: z.number().int(),
  /** Questions that it can not answer even so. */
  missed: z.number().int(),
  longerTail: z.boolean(),
});
export type EpochFindings = z.infer<typeof EpochFindings>;

/** A stretch of a conversation in prompts: what was before it is told in short, the rest as it was said. */
export const EpochView = z.object({
  /** 0 is the beginning, before anything was told in short. */
  number: z.number().int(),
  epochId: Uuid.nullable(),
  startedAt: IsoTime,
  /** The first message that is told as it was said. */
  tailFrom: z.string(),
  /** Messages before it that are told in short. */
  kept: z.number().int(),
  /** The epoch that was gone back to. */
  restoredFrom: z.number().int().nullable(),
  findings: EpochFindings.nullable(),
  /** Its words as prompts have them now; null for an operator who looks at somebody else's. */
  snapshot: z.string().nullable(),
});
export type EpochView = z.infer<typeof EpochView>;
