// The first retry is quick, because most drops are a restart; the last ones spare a gateway that is down.
const FIRST_MS = 500;
const MAX_DELAY_MS = 15_000;

/**
 * Time to wait before connecting again, in milliseconds: doubled with each failed attempt (from 0), and
 * spread over the upper half so that many tabs do not come back in the same instant. `random` is in [0, 1).
 */
export function reconnectDelayMs(attempt: number, random: number): number {
  const longest = Math.min(MAX_DELAY_MS, FIRST_MS * 2 ** attempt);
  return Math.round(longest * (0.5 + random / 2));
}
