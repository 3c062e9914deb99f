import type { z } from 'zod';

/** Reads a text as JSON of a form; null where it is none, or has another form. */
export function jsonOf<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
