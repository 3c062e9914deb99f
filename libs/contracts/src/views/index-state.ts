import { z } from 'zod';

/** Progress of a run of reindex. */
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
