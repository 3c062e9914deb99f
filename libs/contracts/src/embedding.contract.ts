import { z } from 'zod';
import { defineRequest } from './define.js';
import { EncodedVector } from './words.js';

/**
 * Where vectors can be compared: vectors of two spaces never meet. One index collection per space.
 * `lexical` spaces hash words and character n-grams; they know spelling, not meaning.
 */
export const EmbeddingSpace = z.object({
  /** Stable name, such as `lexical-v1-512` or `gemini-embedding-001-1536`; fit for a collection's name. */
  id: z.string().regex(/^[a-z0-9][a-z0-9_.-]*$/),
  dimensions: z.number().int().positive(),
  kind: z.enum(['semantic', 'lexical']),
});
export type EmbeddingSpace = z.infer<typeof EmbeddingSpace>;

export const embeddingContract = {
  /** Unit-length vectors for texts, in their order. */
  embed: defineRequest('embedding.embed', {
    request: z.object({
      texts: z.array(z.string().min(1).max(32_000)).min(1).max(256),
      /** Some models embed a question and what may answer it differently. */
      purpose: z.enum(['query', 'document']),
    }),
    response: z.object({ space: EmbeddingSpace, vectors: z.array(EncodedVector) }),
    timeoutMs: 10_000,
  }),
  /** The space in use, without embedding anything. */
  space: defineRequest('embedding.space', {
    request: z.object({}),
    response: EmbeddingSpace,
    timeoutMs: 2_000,
  }),
};
