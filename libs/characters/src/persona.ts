import { BigFive, CompanionId, NeedName, QuirkKind, TimeZone } from '@kith/contracts';
import { z } from 'zod';

/** Letters and spaces: what goes into every prompt is no place for more. */
const QuirkText = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[\p{L}][\p{L}' -]{1,39}$/u, 'letters, spaces, dashes and apostrophes, 40 at most');

const Line = z.string().trim().min(1).max(600);

/** Characters that its documents of other programs may have as JSON: a request to the API carries them, and it takes 1 MB. */
export const MAX_EXTENSIONS = 250_000;
/** Deeper than any reader of files lets through. */
const MAX_EXTENSIONS_DEPTH = 100;

const Extensions = z
  .record(z.string().max(60), z.unknown())
  .refine((extensions) => isShallow(extensions, MAX_EXTENSIONS_DEPTH), {
    error: `at most ${MAX_EXTENSIONS_DEPTH} levels deep`,
    abort: true,
  })
  .refine(
    (extensions) => JSON.stringify(extensions).length <= MAX_EXTENSIONS,
    `at most ${MAX_EXTENSIONS} characters as JSON`,
  );

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1));
}

/** A companion as its author writes it: one JSON file. Unknown fields are refused, so that a typo is seen. */
export const Persona = z.strictObject({
  /** The schema for editors: `../persona.schema.json` beside the shipped companions. */
  $schema: z.string().max(200).optional(),
  id: CompanionId,
  name: z.string().trim().min(1).max(60),
  /** One line for lists. */
  tagline: z.string().trim().min(1).max(140),
  /** The character in second person: it goes into the prompt as it stands. */
  description: z.string().trim().min(1).max(4_000),
  /** The character in third person, for the people it talks with. Absent: they read its tagline alone. */
  about: z.string().trim().min(1).max(800).optional(),
  traits: z.strictObject(BigFive.shape),
  style: z.strictObject({
    tone: Line,
    /** Its usual length: each mood shortens or lengthens from there. */
    length: z.enum(['short', 'medium', 'long']),
    says: z.array(Line).max(20),
    neverSays: z.array(Line).max(30),
    emoji: z.enum(['never', 'rarely', 'sometimes', 'often']),
  }),
  /** Exchanges that show the voice; each begins with the person. */
  exampleDialogue: z
    .array(
      z
        .array(z.strictObject({ who: z.enum(['person', 'companion']), text: Line }))
        .min(2)
        .max(8)
        .refine((lines) => lines[0]?.who === 'person' && lines.some(({ who }) => who === 'companion'), {
          message: 'an exchange begins with the person, and the companion answers',
        }),
    )
    .min(1)
    .max(12),
  /** Its time zone, such as Europe/Berlin: its days and nights go by it. Absent: the suite's. */
  timeZone: TimeZone.optional(),
  /** Hours in which half of a mood has passed. Shorter is a weathercock, longer bears a grudge overnight. */
  moodHalfLifeHours: z.number().min(4).max(12),
  /** Its needs, where they differ from the usual ones (`affect/needs/needs.ts` of personality); what is left out is usual. */
  needs: z
    .partialRecord(
      NeedName,
      z.strictObject({
        /** Growth by itself; of rest, recovery. 0.2 is half in three and a half days. */
        perDay: z.number().min(0).max(10).optional(),
        /** Importance in [0, 1]. At 0 it is never urgent. */
        weight: z.number().min(0).max(1).optional(),
      }),
    )
    .optional(),
  /** Small habits of speech and interest: some to begin with, and what never becomes one. */
  quirks: z
    .strictObject({
      seeds: z
        .array(
          z.strictObject({
            kind: QuirkKind,
            /** An interest's word, or a phrase it likes to say. */
            text: QuirkText,
            strength: z.number().min(0.1).max(1),
          }),
        )
        .max(8)
        .default([]),
      /** Words and phrases: no quirk holds one of them, whatever is talked about. */
      veto: z.array(QuirkText).max(100).default([]),
      /** The most at once, the seeds among them. At 0 it picks nothing up. */
      limit: z.int().min(0).max(12).default(8),
    })
    .optional(),
  /**
   * A night's thinking by itself: what it learned of people goes to core memory, what to come back to becomes a reason
   * to write. At most so many people a night, each at the price of a reply. Absent: `HEARTBEATS_PER_NIGHT`.
   */
  heartbeat: z.strictObject({ peoplePerNight: z.int().min(0).max(100) }).optional(),
  /** Its introduction to someone new. */
  greeting: Line,
  /** Documents of other programs that it came from, by format, for an export, and a note on lore: in no prompt. */
  extensions: Extensions.optional(),
});
export type Persona = z.infer<typeof Persona>;

/** Builds the JSON Schema of a persona file: `persona.schema.json`, by which editors check and complete. */
export function personaSchema(): Record<string, unknown> {
  return { title: 'A companion of Kith', ...z.toJSONSchema(Persona, { io: 'input' }) };
}
