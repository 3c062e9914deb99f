import { z } from 'zod';

/** Four times the longest message of Discord without Nitro, for the other doors. */
export const MAX_MESSAGE_CHARACTERS = 8_000;

/** A quote says what is talked of; a whole essay need not stand in the prompt again. */
export const MAX_QUOTE_CHARACTERS = 1_000;

/** Message that another refers to: its id at the door, its words, and their speaker; null for the companion's own. */
export const Quote = z.object({
  messageId: z.string().min(1).max(200).optional(),
  name: z.string().min(1).max(100).nullable(),
  text: z.string().min(1).max(MAX_QUOTE_CHARACTERS),
});
export type Quote = z.infer<typeof Quote>;
