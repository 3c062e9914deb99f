import type { Claim } from './claim-conversation.js';

export type GateDecision = { kind: 'proceed' } | { kind: 'silent'; reason: string };

/** A reason to speak first that waited this long for its turn is stale. */
const OUTREACH_STALE_MS = 30 * 60_000;

/**
 * May this turn go on, before any model is asked? Silence is an outcome like any other, with its reason.
 */
export function decideGate(claim: Pick<Claim, 'burst'>, now: Date): GateDecision {
  const first = claim.burst[0]!;
  if (first.origin === 'outreach' && now.getTime() - first.receivedAt.getTime() > OUTREACH_STALE_MS) {
    return { kind: 'silent', reason: 'stale-outreach' };
  }
  if (
    first.origin === 'message' &&
    claim.burst.every((message) => !/[\p{L}\p{N}\p{S}?？]/u.test(message.text))
  ) {
    // Dots and dashes are not an invitation; an emoji (a symbol) and a lone question mark are.
    return { kind: 'silent', reason: 'nothing-said' };
  }
  return { kind: 'proceed' };
}
