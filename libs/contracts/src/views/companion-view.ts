import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { CompanionId } from '../values/words.js';

/** The five traits, each in [0, 1]; .5 is the average person. */
export const BigFive = z.object({
  openness: z.number().min(0).max(1),
  conscientiousness: z.number().min(0).max(1),
  extraversion: z.number().min(0).max(1),
  agreeableness: z.number().min(0).max(1),
  stability: z.number().min(0).max(1).describe('the opposite of neuroticism'),
});
export type BigFive = z.infer<typeof BigFive>;

/** Heartbeats of a night where the persona names no number: a few, since each costs what a reply costs. */
export const HEARTBEATS_PER_NIGHT = 3;

export const CompanionView = z.object({
  id: CompanionId,
  name: z.string(),
  tagline: z.string().describe('one line for lists'),
  description: z.string().describe('for readers, in the third person; empty where its author wrote none'),
  traits: BigFive,
  /** People that it thinks about by itself in a night, at most; absent: `HEARTBEATS_PER_NIGHT`. */
  heartbeatsPerNight: z.number().int().optional(),
  /** IANA name of the zone its days and nights are in: its persona's, or the suite's. */
  timeZone: z.string(),
  version: z.number().int().describe('rises with each change of the persona'),
  /** When it was paused: since then it answers nobody and writes to nobody. Absent while it is not paused. */
  pausedSince: IsoTime.optional(),
  /** True where it comes from a file: it goes when the file is removed, and cannot be retired. Absent otherwise. */
  fromFile: z.literal(true).optional(),
});
export type CompanionView = z.infer<typeof CompanionView>;

/** A persona as its file holds it; personality alone knows what may be in it. */
export const PersonaJson = z.record(z.string(), z.unknown());

export const PersonaVersionView = z.object({
  version: z.int(),
  /** Its file, an edit, an earlier version that was put in force again, or the API, which created it. */
  origin: z.enum(['file', 'edit', 'rollback', 'created']),
  at: IsoTime,
});

/** Latest version of a persona: Postgres keeps it as an integer, and refuses to compare one with more. */
export const MAX_PERSONA_VERSION = 2_147_483_647;
export const PersonaVersionNumber = z.int().min(1).max(MAX_PERSONA_VERSION);
