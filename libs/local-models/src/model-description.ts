import { z } from 'zod';

/** Facts about an encoder that its use needs; in a model's folder as `kith-model.json`. */
export const ModelDescription = z.object({
  /** Length of its vectors. */
  dimensions: z.int().min(2).max(4_096),
  /** Way from the vectors of tokens to one of the text: their mean, or that of the first token. */
  pooling: z.enum(['mean', 'cls']),
  /** Longest text it was trained on, in tokens; the rest is cut off. */
  maxTokens: z.int().min(8).max(8_192),
  /** Words that some models want before a text, by what it is for. */
  prefixes: z
    .object({ query: z.string().max(200), document: z.string().max(200) })
    .default({ query: '', document: '' }),
});
export type ModelDescription = z.output<typeof ModelDescription>;
