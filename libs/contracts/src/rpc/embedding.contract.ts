import { z } from 'zod';
import { defineRequest } from './define.js';
import { EncodedVector } from '../values/words.js';

/** Numbers of the longest vectors: no model in use answers more, and the exact index compares no wider rows. */
export const MAX_DIMENSIONS = 4_096;

/**
 * Space in which vectors can be compared: vectors of two spaces never meet. One index collection per space.
 * `lexical` spaces hash words and character n-grams; they know spelling, not meaning.
 */
export const EmbeddingSpace = z.object({
  /** Stable name, such as `lexical-v2-356` or `gemini-embedding-001-1536`; fit for a collection's name. */
  id: z.string().regex(/^[a-z0-9][a-z0-9_.-]*$/),
  dimensions: z.number().int().positive().max(MAX_DIMENSIONS),
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
      /** Space to embed in; the current one where that does not exist. */
      space: EmbeddingSpace.shape.id.optional(),
    }),
    response: z.object({ space: EmbeddingSpace, vectors: z.array(EncodedVector) }),
    timeoutMs: 10_000,
  }),
  /** The space of the settings, and that of the model that is to follow, without embedding anything. */
  spaces: defineRequest('embedding.spaces', {
    request: z.object({}),
    response: z.object({ current: EmbeddingSpace, next: EmbeddingSpace.nullable() }),
    timeoutMs: 2_000,
  }),
};
