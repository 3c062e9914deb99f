import { z } from 'zod';
import type { OfferedModel } from '../provider.js';
import { namesOf } from './names-of.js';

/** Figure, which some hosts write as a string. */
const Figure = z.union([z.number(), z.string().min(1).pipe(z.coerce.number())]);
/** Price; with one below zero some hosts say that it varies. */
const Usd = z.object({ usd: Figure.pipe(z.number().nonnegative()) });

/** Makes a field that a host may leave out, or mean something else by. */
function optional<Field extends z.ZodType>(field: Field) {
  return field.nullish().catch(null);
}

/** An entry of `GET /models`. OpenAI's fields, with those that other hosts add. */
const Entry = z.looseObject({
  id: z.string().min(1).max(200),
  created: optional(Figure),
  /** OpenAI: the announced day of its end. */
  shutdown_date: optional(z.string()),
  /** Groq: false while it may not be used. */
  active: optional(z.boolean()),
  context_window: optional(Figure),
  context_length: optional(Figure),
  max_model_len: optional(Figure),
  output_modalities: optional(z.array(z.string())),
  /** Chutes: US dollars for a million tokens. */
  price: optional(z.object({ input: Usd, output: Usd })),
});

/**
 * Reads a host's list of models. Leaves out what cannot be read, is switched off, or answers with no text: a strange
 * entry must not hide the others.
 */
export function readOffered(entries: readonly unknown[]): OfferedModel[] {
  return entries.flatMap((entry): OfferedModel[] => {
    const parsed = Entry.safeParse(entry);
    if (!parsed.success) return [];
    const { data } = parsed;
    if (data.active === false || (data.output_modalities && !data.output_modalities.includes('text')))
      return [];
    return namesOf(data.id).map((id) => ({
      id,
      createdAtMs: data.created ? data.created * 1_000 : null,
      retiresOn: readDay(data.shutdown_date),
      contextTokens: data.context_window ?? data.context_length ?? data.max_model_len ?? null,
      price: data.price ? { input: data.price.input.usd, output: data.price.output.usd } : null,
    }));
  });
}

function readDay(text: string | null | undefined): string | null {
  const day = text?.slice(0, 10);
  return day && /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : null;
}
