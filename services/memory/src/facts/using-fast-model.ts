import { ModelChainError, type ModelRole } from '@kith/llm';
import type { DegradedStates } from '@kith/service-host';

/**
 * Makes a function that runs work with the fast model, and enters or leaves the state without it. A model that answers
 * in the wrong form is not away, nor is one whose tokens are spent.
 * @param effect of its absence on people
 */
export function usingFastModel(fast: ModelRole, states: DegradedStates, effect: string) {
  const part = { part: 'fast-model', effect, probe: () => fast.probe() };
  return <T>(work: () => Promise<T>): Promise<T> =>
    states.using(part, work, (error) => error instanceof ModelChainError);
}
