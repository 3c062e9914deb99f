import { GatewayCloseCodes } from 'discord-api-types/v10';
import { codeOf } from '../rest/code-of.js';

const TOKEN_REFUSED = 'Discord refuses the bot token: check DISCORD_TOKEN';
/** Close codes after which Discord wants no reconnect, in words for the operator. */
const FINAL_CLOSES: ReadonlyMap<number, string> = new Map([
  [GatewayCloseCodes.AuthenticationFailed, TOKEN_REFUSED],
  [GatewayCloseCodes.InvalidShard, 'Discord refuses the shard'],
  [
    GatewayCloseCodes.ShardingRequired,
    'the bot is in too many servers for one connection: it needs sharding',
  ],
  [GatewayCloseCodes.InvalidAPIVersion, 'Discord no longer speaks this API version'],
  [GatewayCloseCodes.InvalidIntents, 'Discord refuses the intents as invalid'],
  [
    GatewayCloseCodes.DisallowedIntents,
    'Discord has not granted an intent: switch it on in the developer portal',
  ],
]);

/** Tells why this close is final; null when a reconnect is in order. */
export function finalCloseProblem(closeCode: number): string | null {
  return FINAL_CLOSES.get(closeCode) ?? null;
}

/** Tells why this failed login is final; null when another try is in order. */
export function finalLoginProblem(error: unknown): string | null {
  return codeOf(error) === 'TokenInvalid' ? TOKEN_REFUSED : null;
}

// Discord allows 1,000 sessions a day, about one in 86 s. From the sixth pause on logins are rarer than that.
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 120_000;

/** Pause before login `attempt` + 1, in milliseconds; `attempt` counts from 0. */
export function loginWaitMs(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_WAIT_MS);
}
