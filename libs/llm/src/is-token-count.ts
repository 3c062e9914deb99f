/** Most tokens of one call that are believed: ten times the longest context that a host offers. */
const MAX_TOKENS = 10_000_000;

/** Tells whether a host's figure can be a number of tokens: some write fractions, or leave one out. */
export function isTokenCount(tokens: number): boolean {
  return Number.isInteger(tokens) && tokens >= 0 && tokens <= MAX_TOKENS;
}
