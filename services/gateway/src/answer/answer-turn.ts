import { firstOf, type PassingReason, reasonOf } from '@kith/contracts';
import type { HookRefusal } from '@kith/llm';
import { whatIsUnderWay } from '../delivery/is-busy.js';
import { TurnHooks } from '../hooks/turn-hooks.js';
import type { Claim } from '../inbox/claim.js';
import { StepLog } from '../steps/step-log.js';
import type { AnswerParts } from './answer-parts.js';
import { composeAnswer } from './compose-answer.js';
import { decideGate } from './decide-gate.js';
import type { FinishedTurn } from './finished-turn.js';
import { mayStillArrive } from './may-still-arrive.js';
import { thinkAlone } from './think-alone.js';
import { TurnEffects, type Effects } from './turn-effects.js';
import { apologyFor, nothingSaid, refusedBy } from './turn-outcome.js';

/** Fixed words for when the day's tokens are spent. */
const SPENT = "I've talked so much today that I have to rest until tomorrow. Your message is safe with me.";

/**
 * Decides a turn's outcome, without committing or announcing it. Asks no model if the claim, the gate, a hook
 * or the day's spending forbids it.
 * @throws TurnInterrupted once `signal` is aborted
 */
export async function answerTurn(
  parts: AnswerParts,
  claim: Claim,
  turnId: string,
  signal: AbortSignal,
): Promise<FinishedTurn> {
  const startedAt = new Date();
  // Whatever ended its process before must not do so again: no hook runs either.
  if (claim.poison) return apologyFor(claim, turnId, startedAt, await keptEffects(parts, claim, turnId));
  const hooks = new TurnHooks(parts.hooks, claim, turnId);
  const turn = await answerGated(parts, claim, { turnId, startedAt, hooks }, signal);
  const { outcome, reason, reply, model, degraded } = turn;
  const refusal = await hooks.ask('commit', { outcome, reason, reply, model, degraded });
  const refused = refusal && refusedBy(refusal, firstOf(claim.burst).origin, turn.effects);
  // Checked last: the steps before took time.
  const unsaid = refused ?? (await calledOff(parts, claim, turn));
  if (unsaid && turn.questions.length > 0) await parts.permittedTools.withdraw(claim, turnId);
  const ended = unsaid ? { ...turn, ...unsaid, questions: [], endedAt: new Date() } : turn;
  return hooks.runs.length === 0 ? ended : { ...ended, details: { ...ended.details, hooks: hooks.runs } };
}

/**
 * Reads the effects of a turn's earlier tries, of which there is no later one. Finds none where they can't be read: no
 * failure may hold an apology back.
 */
export async function keptEffects(
  { database, cipher, permittedTools, logger }: AnswerParts,
  claim: Claim,
  turnId: string,
): Promise<Effects> {
  const effects = new TurnEffects();
  try {
    const steps = await new StepLog(database, cipher, claim, turnId).resume();
    for (const call of steps.flatMap(({ calls }) => calls)) effects.noteKept(call, permittedTools);
  } catch (error) {
    logger.warn({ turnId, reason: reasonOf(error) }, 'what a turn has done could not be read');
  }
  return effects.noted;
}

/** Ends an outreach that may not arrive any more; null for any other turn. */
async function calledOff(
  { database, messenger }: AnswerParts,
  claim: Claim,
  { reply }: FinishedTurn,
): Promise<Pick<FinishedTurn, 'outcome' | 'reason' | 'reply'> | null> {
  const { origin, externalId } = firstOf(claim.burst);
  if (reply === null || origin !== 'outreach') return null;
  const underWay = await whatIsUnderWay(database, claim.personId, externalId);
  const word = await mayStillArrive(messenger, claim, underWay);
  return word === 'allowed' ? null : { outcome: 'dropped', reason: word, reply: null };
}

async function answerGated(
  parts: AnswerParts,
  claim: Claim,
  { turnId, startedAt, hooks }: { turnId: string; startedAt: Date; hooks: TurnHooks },
  signal: AbortSignal,
): Promise<FinishedTurn> {
  const { origin } = firstOf(claim.burst);
  const nothing = nothingSaid(claim, turnId, startedAt, claim.personName);
  const ended = (said: Pick<FinishedTurn, 'outcome' | 'reason' | 'reply'>, gate: string): FinishedTurn => ({
    ...nothing,
    ...said,
    details: { ...nothing.details, gate },
    endedAt: new Date(),
  });
  const refused = (refusal: HookRefusal) => ended(refusedBy(refusal, origin), `refused: ${refusal.reason}`);
  const unheard = await hooks.ask('receive');
  if (unheard) return { ...refused(unheard), isUnheard: true };
  const gate = decideGate(claim, startedAt, await parts.standingOf(claim.companionId));
  if (gate.kind !== 'proceed') {
    const { kind, reason } = gate;
    return ended({ outcome: kind, reason, reply: null }, `${kind}: ${reason}`);
  }
  const unwanted = await hooks.ask('gate');
  if (unwanted) return refused(unwanted);
  const added = await hooks.compose();
  if (added.refusal) return refused(added.refusal);
  const shell = { turnId, personName: nothing.personName, startedAt, hooks, lines: added.lines };
  if (origin === 'heartbeat') return thinkAlone(parts, claim, shell, nothing, signal);
  const spend = parts.spend.decide(claim.personId);
  if (spend !== 'proceed') {
    const isMessage = origin === 'message';
    const outcome = isMessage ? 'apologised' : 'dropped';
    const reason = spend satisfies PassingReason;
    return ended({ outcome, reason, reply: isMessage ? SPENT : null }, `apologised: ${spend}`);
  }
  return composeAnswer(parts, claim, shell, signal);
}
