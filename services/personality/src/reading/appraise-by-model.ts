import { type CallAccount, completeJson, type JsonPrompt, ModelChainError, type ModelRoles } from '@kith/llm';
import type { DegradedStates } from '@kith/service-host';
import { z } from 'zod';
import { Appraisal } from '../affect/appraisal.js';
import { MAX_EVENTS } from './appraisal-prompt.js';

/** Events as the model gives them. A malformed word on prospects is dropped; the reading counts all the same. */
const ModelEvent = Appraisal.extend({
  settles: z.int().min(1).optional().catch(undefined),
  about: z.string().optional().catch(undefined),
});

/**
 * The fast model's answer: the events of each turn, by the turn's number, in OCC's variables. A turn that
 * is not in this form is null, and spoils none of the others.
 */
export const ModelReadings = z.object({
  turns: z.array(
    z
      .object({ turn: z.int().min(1), events: z.array(ModelEvent).max(MAX_EVENTS) })
      .nullable()
      .catch(null),
  ),
});

/** Asks the fast model about so many turns. Throws when it can't answer, or answers twice in another form. */
export type AskForReadings = ReturnType<typeof appraiseByModel>;

/** Three events in full take about 250 tokens; twice that is a model that rambles. */
const MAX_ANSWER_TOKENS_A_TURN = 500;

/** Makes the function that asks this model. */
export function appraiseByModel(fast: NonNullable<ModelRoles['fast']>, states: DegradedStates) {
  const part = {
    part: 'fast-model',
    effect: 'moods go by rules, which know words and not what is meant',
    probe: () => fast.probe(),
  };
  return (prompt: JsonPrompt, turns: number, account: CallAccount) =>
    states.using(
      part,
      () =>
        completeJson(fast, prompt, ModelReadings, { maxTokens: turns * MAX_ANSWER_TOKENS_A_TURN, account }),
      // A model that rambles is not away.
      (error) => error instanceof ModelChainError,
    );
}
