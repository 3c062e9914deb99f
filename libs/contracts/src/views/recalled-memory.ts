import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { MemoryView } from './memory-view.js';
import { MemoryId } from '../values/words.js';

/** Boosts stay small, so that relevance decides and freshness settles what is close. */
export const MAX_RECALL_BOOST = 0.1;
/** Boost for a like mood (Bower 1981): a third of the others, so that sad talk does not call up sad talk alone. */
export const MAX_MOOD_BOOST = 0.03;
/** Boost for having been of use before: half of the others, so that the same few do not always come first. */
export const MAX_PROOF_BOOST = 0.05;

/**
 * Parts of a recalled memory's score.
 * `score` = `fused` × (1 + `fit`) × (1 + `recency` + `importance` + `mood` + `proof`).
 */
export const ScoreParts = z.object({
  /** Rank in the dense arm, from 1; null when that arm did not find it. */
  denseRank: z.number().int().nullable(),
  /**
   * Cosine with the query; where vectors know the meaning, that of the line and those around it, less the mean of all.
   * Null when the dense arm did not find it.
   */
  similarity: z.number().nullable(),
  lexicalRank: z.number().int().nullable(),
  /** Both arms' scores, each as a share of its best, weighted: 1 for the best in both. */
  fused: z.number(),
  /** Fit as an answer: who was asked about said it, a time was asked and it tells one, advice and it states a wish. */
  fit: z.number().default(0),
  recency: z.number().describe(`boost for having been said, or recalled, lately: 0 to ${MAX_RECALL_BOOST}`),
  importance: z.number().describe(`boost for importance: 0 to ${MAX_RECALL_BOOST}`),
  /** Boost for having been felt as the mood is in which it is asked: 0 to `MAX_MOOD_BOOST`. */
  mood: z.number().default(0),
  proof: z.number().default(0).describe(`boost for having been of use in replies: 0 to ${MAX_PROOF_BOOST}`),
  /** Probability that anything recalled answers: the same for all that one question finds. */
  certainty: z.number().default(1),
  score: z.number(),
});
export type ScoreParts = z.infer<typeof ScoreParts>;

export const RecalledMemory = MemoryView.extend({ why: ScoreParts });
export type RecalledMemory = z.infer<typeof RecalledMemory>;

/** Beginning of the source of a memory that is part of a document: the document's id follows. */
export const DOCUMENT_SOURCE = 'document:';

/** Lines said on one occasion, as a prompt shows them. */
export const Passage = z.object({
  saidAt: IsoTime.describe('time of its first line'),
  lines: z.array(
    z.object({
      id: MemoryId,
      speaker: z.string().nullable(),
      text: z.string(),
      sources: z.array(z.string()),
      isFound: z.boolean().describe('false: it stands beside one that was found'),
    }),
  ),
});
export type Passage = z.infer<typeof Passage>;

/** Arms of recall that were out of reach, or searched among the newest memories only; empty when all is well. */
export const Degraded = z.array(z.enum(['dense', 'lexical']));
