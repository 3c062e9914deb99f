import { z } from 'zod';
import { CompanionId, ConversationId, PersonId, TurnId, Uuid } from '../values/words.js';

const Tokens = z.int().nonnegative();

/** Calls of one model for one purpose. Every call is counted, however it ended. */
export const ModelUsage = z.object({
  /** Id by which a row that is reported twice is counted once. */
  id: Uuid,
  role: z.enum(['chat', 'fast', 'embedding']),
  /** As `provider:model`. */
  model: z.string().max(200),
  personId: PersonId.nullable(),
  companionId: CompanionId.nullable(),
  conversationId: ConversationId.nullable(),
  turnId: TurnId.nullable(),
  calls: z.int().positive(),
  promptTokens: Tokens,
  completionTokens: Tokens,
  /** True where the host did not count, or a call was cut before it did. */
  isEstimated: z.boolean(),
  /** US dollars; null where the model's price is not known. */
  cost: z.number().nonnegative().nullable(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** Most rows of one report. */
export const MAX_USAGE_REPORTED = 200;
