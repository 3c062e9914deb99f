import { z } from 'zod';

/** Four times the longest message of Discord without Nitro, for the other doors. */
export const MAX_MESSAGE_CHARACTERS = 8_000;

/** Message that another refers to: its words, and their speaker; null for the companion's own. */
export const Quote = z.object({
  name: z.string().min(1).max(100).nullable(),
  text: z.string().min(1).max(1_000),
});
export type Quote = z.infer<typeof Quote>;
