/** Bounds of the talk's share of a prompt, so that one unusual prompt does not set the size of a whole epoch. */
const MIN_SHARE = 0.4;
const MAX_SHARE = 0.7;

/**
 * Works out how much of a prompt an epoch's talk may take.
 * @param room tokens that this turn's prompt has for it
 * @param limit of the whole prompt
 */
export function talkTokens(room: number, limit: number): number {
  return Math.max(limit * MIN_SHARE, Math.min(limit * MAX_SHARE, room));
}
