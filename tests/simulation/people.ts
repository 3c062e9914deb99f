import { ClockTime, OutreachRestriction, OutreachSettings, TimeZone } from '@kith/contracts';
import { z } from 'zod';

/** A stretch of days in which somebody talks. Day 0 is the first of the simulation, on their own clock. */
const Habit = z.strictObject({
  fromDay: z.number().int().min(0).default(0),
  /** Not on this day any more. */
  untilDay: z.number().int().positive().default(3_650),
  /** Talks on an average day. */
  perDay: z.number().min(0).max(50),
  between: z.tuple([ClockTime, ClockTime]).default(['08:00', '22:00']),
});

/** Somebody as their author writes them: what they allow, when they talk, how, and what they surely say. */
export const Person = z.strictObject({
  name: z.string().trim().min(1).max(40),
  /** Reason they are in the simulation. */
  note: z.string().default(''),
  /** The zone they live in and have named. */
  zone: TimeZone.default('UTC'),
  tone: z.enum(['warm', 'plain', 'hostile']).default('plain'),
  /** From which day they allow it; null is never. */
  optsInOnDay: z.number().int().min(0).nullable().default(0),
  optsOutOnDay: z.number().int().min(0).nullable().default(null),
  /** Age, as the operator knows it. */
  ageState: OutreachRestriction.shape.ageState.default('unknown'),
  settings: OutreachSettings.omit({ optedIn: true, direct: true, channel: true, timeZone: true })
    .partial()
    .strict()
    .default({}),
  talks: z.array(Habit).default([]),
  /** Share of their talks in which they ask for something to be brought back. */
  asks: z.number().min(0).max(1).default(0),
  /** Probability of answering an outreach. */
  answers: z.number().min(0).max(1).default(0.8),
  /** Messages they send in any case, on their own clock. */
  says: z
    .array(
      z.strictObject({
        day: z.number().int().min(0),
        at: ClockTime,
        text: z.string().min(1).max(500),
        /** Answer of the companion. */
        reply: z.string().max(500).default(''),
      }),
    )
    .default([]),
});
export type Person = z.output<typeof Person>;

const People = z
  .array(Person)
  .min(1)
  .max(500)
  .refine((people) => new Set(people.map(({ name }) => name)).size === people.length, {
    error: 'two people have the same name',
  });

/** @throws Error that names every field that is wrong */
export function readPeople(file: string, text: string): Person[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file}: not JSON: ${(error as Error).message}`, { cause: error });
  }
  const parsed = People.safeParse(json);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${file}: ${path.map(String).join('.') || 'whole file'}: ${message}`,
  );
  throw new Error(problems.join('\n'));
}
