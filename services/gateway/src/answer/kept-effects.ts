import { reasonOf } from '@kith/contracts';
import type { Claim } from '../inbox/claim.js';
import { StepLog } from '../steps/step-log.js';
import type { AnswerParts } from './answer-parts.js';
import { TurnEffects, type Effects } from './turn-effects.js';

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
