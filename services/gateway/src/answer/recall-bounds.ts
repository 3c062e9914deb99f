/** Share of a prompt that passages of memories may take: some fifteen lines at a context of 8,000 tokens. */
const RECALL_SHARE = 0.155;
/** Most tokens of passages: less fitting ones would crowd out the talk. */
const MAX_RECALL_TOKENS = 2_400;
/** Tokens that the same fifteen lines take in a smaller prompt, and the share of it that they may take at most. */
const SMALL = { tokens: 900, share: 0.3 };
/** Tokens of a usual passage, by which a budget is turned into a number of memories to rank. */
const PASSAGE_TOKENS = 56;
/** Room for lore, as a share of the room for memories. */
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
  const small = Math.min(SMALL.tokens, Math.round(promptTokens * SMALL.share));
  const tokens = Math.min(MAX_RECALL_TOKENS, Math.max(small, share));
  return {
    limit: Math.ceil(tokens / PASSAGE_TOKENS),
    tokens,
    loreTokens: Math.round(Math.min(tokens, share) * LORE_SHARE),
  };
}
