import type { ConnectionStatus } from '../rest/connection-status.js';
import { TooManyInvalidRequests } from '../rest/invalid-requests.js';
import { classifyFailure, type SendFailure } from './classify-failure.js';

/**
 * Tells why nothing at all can be sent now, so that Discord is not even asked; undefined when it can. Without a
 * token nothing ever will be. A refused token waits for the operator: refused requests add up to a ban.
 */
export function deliveryStandstill(
  { state, problem }: ConnectionStatus,
  refusedTooOften: boolean,
): SendFailure | undefined {
  if (state === 'off') return { kind: 'failed', reason: 'no Discord token is set', unreachable: null };
  if (state === 'failed') return { kind: 'retry', reason: problem ?? 'the Discord connection failed' };
  if (refusedTooOften) return classifyFailure(new TooManyInvalidRequests());
  return undefined;
}
