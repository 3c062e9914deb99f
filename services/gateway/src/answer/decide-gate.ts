import { firstOf, lastOf, type NamedReason, type PassingReason } from '@kith/contracts';
import type { Claim } from '../inbox/claim.js';

export type GateDecision =
  | { kind: 'proceed' }
  | { kind: 'silent'; reason: NamedReason }
  /** Every message of the burst was deleted. */
  | { kind: 'dropped'; reason: NamedReason };

/** Standing of a companion, as an operator has it: a paused one answers nobody for now, a retired one is out of service. */
export type CompanionStanding = 'serves' | 'paused' | 'retired';

/** Age from which a reason to write first is stale: it waited too long for its turn. */
const OUTREACH_STALE_MS = 30 * 60_000;

/**
 * Letters, digits, symbols, emojis and question marks of any script: a lone one is an invitation, dots and dashes are not.
 * The Greek one is written as its code, as it looks like a semicolon.
 */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{S}\p{Extended_Pictographic}?？﹖⁇⁈؟՞፧⸮\u037E]/u;

/** Decides whether a turn goes on, before any model is asked. Silence is an outcome like any other, with its reason. */
export function decideGate(
  claim: Pick<Claim, 'burst'>,
  now: Date,
  standing: CompanionStanding,
): GateDecision {
  const first = firstOf(claim.burst);
  // A reason to write first can be forgotten too.
  const left = claim.burst.filter(({ deleted }) => !deleted);
  if (left.length === 0) return { kind: 'dropped', reason: 'deleted' };
  if (standing === 'paused') return { kind: 'silent', reason: 'paused' satisfies PassingReason };
  // Whoever writes to it still gets an answer; by itself it begins nothing any more.
  if (standing === 'retired' && first.origin !== 'message') return { kind: 'silent', reason: 'retired' };
  if (first.origin === 'heartbeat') return { kind: 'proceed' };
  if (first.origin === 'outreach') {
    const isStale = now.getTime() - first.receivedAt.getTime() > OUTREACH_STALE_MS;
    if (!isStale) return { kind: 'proceed' };
    return { kind: 'silent', reason: 'stale-outreach' satisfies PassingReason };
  }
  if (first.stopped) return { kind: 'silent', reason: 'stopped' };
  // The door lacks permission to write there: no model is asked for words that nobody could read.
  if (lastOf(left).target?.unwritable) return { kind: 'silent', reason: 'cannot-write-there' };
  if (left.every(({ text }) => !SAYS_SOMETHING.test(text))) return { kind: 'silent', reason: 'nothing-said' };
  return { kind: 'proceed' };
}
