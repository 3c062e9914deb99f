/** Close codes after which Discord wants no reconnect, in words for the operator. */
const FINAL_CLOSES: ReadonlyMap<number, string> = new Map([
  [4004, 'Discord refuses the bot token: check DISCORD_TOKEN'],
  [4010, 'Discord refuses the shard'],
  [4011, 'the bot is in too many servers for one connection: it needs sharding'],
  [4012, 'Discord no longer speaks this API version'],
  [4013, 'Discord refuses the intents as invalid'],
  [4014, 'Discord has not granted an intent: switch it on in the developer portal'],
]);

/** Tells why this close is final; null when a reconnect is in order. */
export function finalCloseProblem(closeCode: number): string | null {
  return FINAL_CLOSES.get(closeCode) ?? null;
}

/** Tells why this failed login is final; null when another try is in order. */
export function finalLoginProblem(error: unknown): string | null {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return code === 'TokenInvalid' ? (FINAL_CLOSES.get(4004) ?? null) : null;
}

// 1,000 identifies a day are allowed, about one in 86 s: from the fifth try on we stay below that.
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 120_000;

/** Pause before login `attempt` + 1, in milliseconds; `attempt` counts from 0. */
export function loginWaitMs(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS);
}
