import { gatewayContract, type RequestOutput } from '@kith/contracts';
import type { ArrivedPart } from '../redaction/undelivered-reply.js';
import { decideRedelivery } from './decide-redelivery.js';
import type { GivenUp } from './lost-delivery.js';

/** End of a try to deliver. */
export type DeliveryResult = RequestOutput<typeof gatewayContract.noteDelivery>['result'];

/** Tells how much of a reply arrived, after its last try. */
export function saidBy(result: DeliveryResult, sent: readonly string[]): ArrivedPart {
  if (result.kind === 'delivered') return 'all';
  if (result.kind === 'forgotten') return 'nothing';
  if (sent.length === 0) return 'nothing';
  return result.sent.length > 0 && result.said !== '' ? { text: result.said } : 'all';
}

/** Decides the changes of the outbox row after a try, and when the next try is due. */
export function outcomeOf(
  result: DeliveryResult,
  tries: number,
  now: Date,
): {
  status?: string;
  platformIds?: string[];
  lastError?: string;
  settledAt?: Date;
  retryAfterMs: number | null;
} {
  if (result.kind === 'delivered') {
    return { status: 'delivered', platformIds: result.platformIds, settledAt: now, retryAfterMs: null };
  }
  if (result.kind === 'forgotten') {
    const lastError = 'what it says was forgotten';
    return { status: 'dropped', platformIds: [], lastError, settledAt: now, retryAfterMs: null };
  }
  const sent = result.sent.length > 0 ? { platformIds: result.sent } : {};
  const decision =
    result.kind === 'retry'
      ? decideRedelivery(tries, result.reason, result.waitMs)
      : { kind: 'give-up' as const, reason: result.reason };
  return decision.kind === 'retry'
    ? { ...sent, lastError: result.reason, retryAfterMs: decision.afterMs }
    : { ...sent, status: 'failed', lastError: decision.reason, settledAt: now, retryAfterMs: null };
}

/** Describes the end of a reply that is given up after this try; null if it is not. */
export function givenUpBy(
  result: DeliveryResult,
  row: { attempts: number; platformIds: readonly string[] },
  now: Date,
): GivenUp | null {
  if (result.kind === 'delivered' || result.kind === 'forgotten') return null;
  const { status, lastError = result.reason } = outcomeOf(result, row.attempts, now);
  if (status !== 'failed') return null;
  return {
    ...{ reason: lastError, unreachable: result.kind === 'failed' ? result.unreachable : null },
    passes: result.kind === 'retry' || result.passes === true,
    isArrived: result.sent.length + row.platformIds.length > 0,
  };
}
