import type { RateLimitError } from 'discord.js';
import type { UndeliveredCause } from './plan-signs.js';
import { TooManyInvalidRequests } from '../rest/invalid-requests.js';

/** Outcome of a send that threw. `unreachable` names the person or place that can't be written to any more. */
export type SendFailure =
  | { kind: 'failed'; reason: string; unreachable: 'person' | 'place' | null }
  /** `waitMs`: how long Discord wants us to wait. */
  | { kind: 'retry'; reason: string; waitMs?: number };

// Cannot DM; no mutual guild; opening DMs too fast, which Discord answers with a ban if one goes on.
const UNREACHABLE_CODES: ReadonlySet<unknown> = new Set([50007, 50278, 40003]);

/** Advice for an operator about a refusal; afterwards `kith outbox retry` sends the reply. */
const REMEDIES: ReadonlyMap<unknown, string> = new Map([
  [50001, 'the bot cannot see the channel: give it View Channel there'],
  [50013, 'the bot may not write there: give it Send Messages and Read Message History'],
  [10003, 'the channel is gone, or the bot was removed from its server'],
]);

/** A server's AutoMod refused the words: others may pass. */
const MODERATED_CODES: ReadonlySet<unknown> = new Set([200000, 200001]);

/** Reason a send did not reach its place, as far as the person who asked is told. */
export function causeOf(error: unknown): UndeliveredCause {
  const { code } = readError(error);
  if (UNREACHABLE_CODES.has(code)) return 'person unreachable';
  if (MODERATED_CODES.has(code)) return 'moderated';
  if (code === 10003) return 'place gone';
  return code === 50001 || code === 50013 ? 'no permission' : 'other';
}

/**
 * Reads an error of discord.js's REST client. Never passes the error itself on: it carries the message's
 * text. A 401 is tried again, since the token is the operator's to mend and the reply can wait for it.
 */
export function classifyFailure(error: unknown): SendFailure {
  if (isRateLimit(error)) {
    const { retryAfter: waitMs, global } = error;
    return { kind: 'retry', reason: `Discord 429: ${global ? 'global' : 'this route’s'} rate limit`, waitMs };
  }
  if (error instanceof TooManyInvalidRequests) return { kind: 'retry', reason: error.message };
  const { status, code } = readError(error);
  const remedy = REMEDIES.get(code);
  const reason = describe(error, status, code) + (remedy === undefined ? '' : `; ${remedy}`);
  if (UNREACHABLE_CODES.has(code)) return { kind: 'failed', reason, unreachable: 'person' };
  if (remedy !== undefined) return { kind: 'failed', reason, unreachable: 'place' };
  const isPassing =
    status === undefined || status === 401 || status === 408 || status === 429 || status >= 500;
  // A refusal without Discord's code is some proxy's or gateway's between us: Discord has not seen the message.
  if (isPassing || typeof code !== 'number') return { kind: 'retry', reason };
  return { kind: 'failed', reason, unreachable: null };
}

/** By its name: the class would bring all of discord.js along. */
function isRateLimit(error: unknown): error is RateLimitError {
  return error instanceof Error && error.name.startsWith('RateLimitError');
}

function readError(error: unknown): { status: number | undefined; code: unknown } {
  if (typeof error !== 'object' || error === null) return { status: undefined, code: undefined };
  const { status, code } = error as { status?: unknown; code?: unknown };
  return { status: typeof status === 'number' ? status : undefined, code };
}

/** Discord's own sentence for its codes; for anything else the kind of error alone. */
function describe(error: unknown, status: number | undefined, code: unknown): string {
  if (status !== undefined && typeof code === 'number' && error instanceof Error)
    return `Discord ${status}/${code}: ${error.message.split('\n')[0] ?? ''}`.slice(0, 200);
  if (status !== undefined) return `Discord ${status}`;
  const name = error instanceof Error ? error.name : 'unknown error';
  return `Discord is out of reach: ${name}${typeof code === 'string' ? ` ${code}` : ''}`;
}
