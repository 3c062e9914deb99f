import { z } from 'zod';
import { defineJob, defineRequest } from './define.js';
import { IndexState, ReindexProgress } from '../views/index-state.js';
import { PersonId } from '../values/words.js';

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
