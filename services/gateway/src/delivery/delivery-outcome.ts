import { gatewayContract, type RequestOutput } from '@kith/contracts';
import type { ArrivedPart } from '../redaction/undelivered-reply.js';
import type { GivenUp } from './lost-delivery.js';

/** Wait after the first try, doubled with each further one. */
const FIRST_WAIT_MS = 1_000;
/** Longest wait: a reply is there soon after Discord is back. */
const MAX_WAIT_MS = 20_000;
/** Tries before a reply is given up: more than half an hour with the waits above, longer than Discord is away on a bad day. */
const MAX_TRIES = 100;

/** End of a try to deliver. */
export type DeliveryResult = RequestOutput<typeof gatewayContract.noteDelivery>['result'];

/** Returns how long a reply waits after so many tries. */
export function waitAfter(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.max(tries - 1, 0), MAX_WAIT_MS);
}

/** Tells whether a reply's tries are used up. Those in which the process died count, too. */
export function isTriedOften(tries: number): boolean {
  return tries >= MAX_TRIES;
}

/** Returns how long a reply waits behind an earlier one to the same person, by that one's tries. */
export function waitBehind(tries: number): number {
  // A first try is usually over by then. A later one waits for Discord, which takes longer.
  return tries <= 1 ? 300 : 2_000;
}

/** Tells how much of a reply arrived, after its last try. */
export function saidBy(result: DeliveryResult, sent: readonly string[]): ArrivedPart {
  if (result.kind === 'delivered') return 'all';
  if (result.kind === 'forgotten' || sent.length === 0) return 'nothing';
  return result.sent.length > 0 && result.said !== '' ? { text: result.said } : 'all';
}

/**
 * Decides the changes of the outbox row after a try, and when the next try is due: by the number of tries so far, as the
 * clock may be set meanwhile, and not before the door itself wants it.
 * @param isForgotten its words were forgotten: what arrived of it is to be deleted
 */
export function deliveryOutcome(
  result: DeliveryResult,
  tries: number,
  now: Date,
  isForgotten = false,
): {
  status?: string;
  platformIds?: string[];
  lastError?: string;
  settledAt?: Date;
  retryAfterMs: number | null;
} {
  const settled = { settledAt: now, retryAfterMs: null };
  if (result.kind === 'delivered') {
    const { platformIds } = result;
    return isForgotten ? { platformIds, retryAfterMs: 0 } : { status: 'delivered', platformIds, ...settled };
  }
  if (result.kind === 'forgotten')
    return { status: 'dropped', platformIds: [], lastError: 'what it says was forgotten', ...settled };
  const { kind, reason } = result;
  const sent = result.sent.length > 0 ? { platformIds: result.sent } : {};
  if (kind === 'retry' && !isTriedOften(tries))
    return { ...sent, lastError: reason, retryAfterMs: Math.max(waitAfter(tries), result.waitMs) };
  // A door that was deleting it has said nothing. One that was sending it leaves the beginning to be deleted.
  if (isForgotten && result.said !== '') return { ...sent, lastError: reason, retryAfterMs: 0 };
  const lastError = kind === 'retry' ? `given up after ${tries} tries: ${reason}` : reason;
  return { ...sent, status: 'failed', lastError, ...settled };
}

/** Describes the end of a reply that is given up after this try; null if it is not. */
export function givenUpBy(result: DeliveryResult, tries: number, now: Date): GivenUp | null {
  if (result.kind === 'delivered' || result.kind === 'forgotten') return null;
  const { status, lastError = result.reason } = deliveryOutcome(result, tries, now);
  if (status !== 'failed') return null;
  return {
    reason: lastError,
    unreachable: result.kind === 'failed' ? result.unreachable : null,
    passes: result.kind === 'retry' || result.passes === true,
    isArrived: result.sent.length > 0,
  };
}
