import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import type { RateLimitError } from 'discord.js';
import type { UndeliveredCause } from './plan-signs.js';
import { TooManyInvalidRequests } from '../rest/invalid-requests.js';

/**
 * Outcome of a send that threw. `unreachable` names the person or place that can't be written to any more; with `passes`
 * the cause is over later.
 */
export type SendFailure =
  | { kind: 'failed'; reason: string; unreachable: 'person' | 'place' | null; passes?: true }
  /** `waitMs`: how long Discord wants us to wait. */
  | { kind: 'retry'; reason: string; waitMs?: number };

const { MissingAccess, MissingPermissions, OpeningDirectMessagesTooFast, UnknownChannel } =
  RESTJSONErrorCodes;

/** Advice about a person's closed direct messages, which the person reads as well as the operator. */
const OPENERS: ReadonlyMap<unknown, string> = new Map([
  [
    RESTJSONErrorCodes.CannotSendMessagesToThisUser,
    'direct messages are closed to the bot: the privacy settings of a server that it is in open them',
  ],
  [
    RESTJSONErrorCodes.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds,
    'the bot may write to people only while it shares a server with them',
  ],
]);

/** Advice for an operator about a refusal of a place; afterwards `kith outbox retry` sends the reply. */
const REMEDIES: ReadonlyMap<unknown, string> = new Map([
  [MissingAccess, 'the bot cannot see the channel: give it View Channel there'],
  [MissingPermissions, 'the bot may not write there: give it Send Messages and Read Message History'],
  [UnknownChannel, 'the channel is gone, or the bot was removed from its server'],
]);

/** A server's AutoMod refused the words: other words may pass. */
const MODERATED_CODES: ReadonlySet<unknown> = new Set([
  RESTJSONErrorCodes.MessageWasBlockedByAutomaticModeration,
  RESTJSONErrorCodes.TitleWasBlockedByAutomaticModeration,
]);

/** Returns the cause of a failed send, to tell the person who asked. */
export function causeOf(error: unknown): UndeliveredCause {
  const { code } = readError(error);
  if (OPENERS.has(code)) return 'person unreachable';
  if (MODERATED_CODES.has(code)) return 'moderated';
  if (code === UnknownChannel) return 'place gone';
  const isForbidden = code === MissingAccess || code === MissingPermissions;
  return isForbidden ? 'no permission' : 'other';
}

/**
 * Reads an error of discord.js's REST client. Never passes the error itself on: it carries the message's
 * text. A 401 is tried again: the operator has to fix the token, and the reply can wait for that.
 */
export function classifyFailure(error: unknown): SendFailure {
  if (isRateLimit(error)) {
    const { retryAfter: waitMs, global } = error;
    return { kind: 'retry', reason: `Discord 429: ${global ? 'global' : 'this route’s'} rate limit`, waitMs };
  }
  if (error instanceof TooManyInvalidRequests) return { kind: 'retry', reason: error.message };
  const { status, code } = readError(error);
  const remedy = REMEDIES.get(code);
  const advice = remedy ?? OPENERS.get(code);
  const reason = describe(error, status, code) + (advice === undefined ? '' : `; ${advice}`);
  if (OPENERS.has(code)) return { kind: 'failed', reason, unreachable: 'person' };
  // It is the bot that was too fast. Discord bans one that goes on at once.
  if (code === OpeningDirectMessagesTooFast)
    return { kind: 'failed', reason, unreachable: null, passes: true };
  if (remedy !== undefined) return { kind: 'failed', reason, unreachable: 'place' };
  const isPassing =
    status === undefined || status === 401 || status === 408 || status === 429 || status >= 500;
  // A refusal without Discord's code comes from a proxy in between: Discord has not seen the message.
  if (isPassing || typeof code !== 'number') return { kind: 'retry', reason };
  return { kind: 'failed', reason, unreachable: null };
}

/** Compares the name: importing the class would load all of discord.js. */
function isRateLimit(error: unknown): error is RateLimitError {
  return error instanceof Error && error.name.startsWith('RateLimitError');
}

function readError(error: unknown): { status: number | undefined; code: unknown } {
  const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown };
  return { status: typeof status === 'number' ? status : undefined, code };
}

/** Describes an error by Discord's own sentence for its codes, else by its kind alone. */
function describe(error: unknown, status: number | undefined, code: unknown): string {
  if (status !== undefined && typeof code === 'number' && error instanceof Error)
    return `Discord ${status}/${code}: ${error.message.split('\n')[0] ?? ''}`.slice(0, 200);
  if (status !== undefined) return `Discord ${status}`;
  const name = error instanceof Error ? error.name : 'unknown error';
  if (name === 'AbortError' || name === 'TimeoutError') return 'Discord took too long';
  return `Discord is out of reach: ${name}${typeof code === 'string' ? ` ${code}` : ''}`;
}
