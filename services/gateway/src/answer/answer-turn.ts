import type { Claim } from '../inbox/claim.js';
import type { AnswerParts } from './answer-parts.js';
import { composeAnswer } from './compose-answer.js';
import { decideGate } from './decide-gate.js';
import type { FinishedTurn } from './finished-turn.js';
import { thinkAlone } from './think-alone.js';
import { apologyFor, nothingSaid } from './turn-outcome.js';

/** Fixed words for when the day's tokens are spent. */
const SPENT = "I've talked so much today that I have to rest until tomorrow. Your message is safe with me.";

/**
 * Comes to a turn's outcome, which is neither committed nor told yet: without a model where the claim, the gate or
 * what was spent today says so.
 * @throws TurnInterrupted once `signal` is aborted
 */
export async function answerTurn(
  parts: AnswerParts,
  claim: Claim,
  turnId: string,
  signal: AbortSignal,
): Promise<FinishedTurn> {
  const startedAt = new Date();
  if (claim.poison) return apologyFor(claim, turnId, startedAt);
  const nothing = nothingSaid(claim, turnId, startedAt, await parts.names.of(claim.personId));
  const gate = decideGate(claim, startedAt, await parts.isPaused(claim.companionId));
  if (gate.kind !== 'proceed') {
    const details = { ...nothing.details, gate: `${gate.kind}: ${gate.reason}` };
    return { ...nothing, details, outcome: gate.kind, reason: gate.reason, endedAt: new Date() };
  }
  if (claim.burst[0]!.origin === 'heartbeat') {
    return thinkAlone(parts, claim, { turnId, personName: nothing.personName, startedAt }, nothing, signal);
  }
  const spend = parts.spend.decide(claim.personId);
  if (spend !== 'proceed') {
    const isMessage = claim.burst[0]!.origin === 'message';
    const ended = isMessage
      ? { outcome: 'apologised' as const, reply: SPENT }
      : { outcome: 'dropped' as const, reply: null };
    const details = { ...nothing.details, gate: `apologised: ${spend}` };
    return { ...nothing, ...ended, details, reason: spend, endedAt: new Date() };
  }
  return composeAnswer(parts, claim, { turnId, personName: nothing.personName, startedAt }, signal);
}
