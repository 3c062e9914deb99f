import { jsonOf } from '@kith/contracts';
import { z } from 'zod';

const Tokens = z.int().positive();
const Dollars = z.number().nonnegative();

/** Limits, price and abilities of a model. */
export const ModelCard = z.object({
  /** Tokens of prompt and answer together. */
  contextTokens: Tokens.min(1_024),
  /** Most tokens of one answer. */
  maxOutputTokens: Tokens,
  /** Share of the context at which a conversation is compacted. */
  compactionRatio: z.number().min(0.01).max(0.95),
  /** Share of the context that no prompt fills, since counts are not exact. */
  safetyMargin: z.number().min(0).max(0.5),
  /** US dollars for a million tokens; null: not known. */
  price: z.strictObject({ input: Dollars, output: Dollars }).nullable(),
  images: z.boolean(),
  tools: z.boolean(),
  /** Vocabulary in which its tokens can be counted; null: they are estimated. */
  vocabulary: z.enum(['o200k']).nullable(),
});
export type ModelCard = z.infer<typeof ModelCard>;

/** Parts of cards by `provider:model`, which go before the catalogue. */
export const ModelCardOverrides = z.record(z.string().max(200), ModelCard.partial().strict());
export type ModelCardOverrides = z.infer<typeof ModelCardOverrides>;

/** Faults of the setting that are told one by one: a list that a program wrote has the same one in hundreds of cards. */
const MAX_TOLD = 10;

/** Reads the setting `MODEL_CARDS`: JSON by `provider:model`. Says what is wrong with it by the setting's name. */
export function readCardOverrides(json: string): { overrides: ModelCardOverrides; problems: string[] } {
  if (json.trim() === '') return { overrides: {}, problems: [] };
  const { data, error } = ModelCardOverrides.safeParse(jsonOf(z.unknown(), json));
  if (data) return { overrides: data, problems: [] };
  const problems = error.issues
    .slice(0, MAX_TOLD)
    .map(({ path, message }) =>
      path.length === 0
        ? 'MODEL_CARDS: is no JSON such as {"compatible:llama3:8b":{"contextTokens":32768}}'
        : `MODEL_CARDS: ${path.join(' ')}: ${message}`,
    );
  const more = error.issues.length - problems.length;
  return { overrides: {}, problems: more > 0 ? [...problems, `MODEL_CARDS: ${more} more faults`] : problems };
}
