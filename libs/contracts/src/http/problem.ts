import { z } from 'zod';
import { Uuid } from '../values/words.js';

/** RFC 9457 problem details, the one error shape of the API. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  detail: z.string().describe('explanation in a sentence for a person'),
  code: z.string(),
  /** The fields that were refused, each with its reason. */
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** Receipt of an order to forget, or to undo that, which was broken off and goes on by itself. */
  receipt: Uuid.optional(),
  correlationId: z.string().optional(),
});
export type Problem = z.infer<typeof Problem>;
