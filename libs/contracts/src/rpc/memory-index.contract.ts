import { z } from 'zod';
import { defineJob, defineRequest } from './define.js';
import { PersonId } from '../values/words.js';

export const ReindexProgress = z.object({
  /** Memories written, of those that were not in the index. */
  done: z.number().int(),
  total: z.number().int(),
  perSecond: z.number(),
  /** True: another space is filled, while recall has all it needs in the one in use. */
  isBeside: z.boolean().default(false),
});
export type ReindexProgress = z.infer<typeof ReindexProgress>;

/** The vector index against the rows in Postgres, which are the truth. */
export const IndexState = z.object({
  index: z.enum(['qdrant', 'exact']),
  /** The space in use; `unknown` while embedding is out of reach. */
  space: z.string(),
  memories: z.number().int(),
  /** Memories that were written to the index. */
  indexed: z.number().int(),
  /** Number of points in the index; null while it is out of reach. */
  points: z.number().int().nullable(),
  /** The space that is filled beside it, to take its place once it holds as much; null when there is none. */
  next: z.object({ space: z.string(), points: z.number().int() }).nullable().default(null),
  /** A reindex is ordered or under way. */
  running: z.boolean(),
  progress: ReindexProgress.nullable(),
});
export type IndexState = z.infer<typeof IndexState>;

/** State and upkeep of the vector index. */
export const memoryIndex = {
  /**
   * Makes the vector index equal to Postgres, in the space now in use, while both are used. One at a time: ordered
   * while it runs, it adds nothing.
   */
  reindex: defineJob('memory.reindex', { payload: z.object({}), idOf: () => 'reindex', concurrency: 1 }),
  /** State of the index beside the rows. */
  index: defineRequest('memory.index', { request: z.object({}), response: IndexState, timeoutMs: 5_000 }),
  /** Makes the index ready for the space in use, with nothing in it if it is new. Safe to repeat. */
  init: defineRequest('memory.init', { request: z.object({}), response: IndexState, timeoutMs: 15_000 }),
  /** Counts for health and for `kith memories`. */
  stats: defineRequest('memory.stats', {
    request: z.object({ personId: PersonId.optional() }),
    response: z.object({
      memories: z.number().int(),
      indexed: z.number().int(),
      space: z.string(),
      index: z.enum(['qdrant', 'exact']),
      /** The run of reindex that is under way, if one is. */
      reindexing: ReindexProgress.nullable(),
    }),
    timeoutMs: 5_000,
  }),
};
