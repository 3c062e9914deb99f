import { Quote } from '@kith/contracts';
import { z } from 'zod';

/** Quote as the inbox keeps it for its turn. */
export const KeptQuote = Quote.extend({
  /** Mark of the account that wrote it, and when; absent for the companion's own, and where the door does not tell. */
  author: z.object({ mark: z.string(), saidAt: z.string() }).optional(),
});
export type KeptQuote = z.infer<typeof KeptQuote>;
