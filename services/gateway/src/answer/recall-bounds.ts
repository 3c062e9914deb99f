import type { ModelRoles } from '@kith/llm';
import { budgetOf, type TokenLimits } from './prompt-budget.js';

/** Share of a prompt that passages of memories may take: some fifteen lines at a context of 8,000 tokens. */
const RECALL_SHARE = 0.155;
/** Least and most tokens of passages: below, nothing fits whole; above, what fits less well crowds out the talk. */
const RECALL_TOKENS = { least: 300, most: 2_400 };
/** Tokens of a passage: by it a budget is told how many memories to rank. */
const PASSAGE_TOKENS = 56;
/** Lore beside memories: two thirds of what they get. */
const LORE_SHARE = 2 / 3;

/** Room that a prompt has for what is recalled. */
export interface RecallBounds {
  /** Memories to be ranked. */
  limit: number;
  tokens: number;
  loreTokens: number;
}

/** Works out the room for memories and lore in a prompt of this size. */
export function recallBoundsOf(promptTokens: number): RecallBounds {
  const share = Math.round(promptTokens * RECALL_SHARE);
  const tokens = Math.min(RECALL_TOKENS.most, Math.max(RECALL_TOKENS.least, share));
  return { limit: Math.ceil(tokens / PASSAGE_TOKENS), tokens, loreTokens: Math.round(tokens * LORE_SHARE) };
}

/** Room that a turn taken now would have, for those who look at recall from outside. */
export class RecallRoom {
  constructor(
    private readonly roles: ModelRoles,
    private readonly limits: TokenLimits,
  ) {}

  now(): RecallBounds {
    return recallBoundsOf(budgetOf(this.roles, this.limits).limit);
  }
}
