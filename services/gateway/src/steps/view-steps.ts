import type { TurnThoughts } from '@kith/contracts';
import type { z } from 'zod';
import type { KeptStep } from './step-words.js';

/** Shows steps to an operator who may see them. */
export function viewSteps(steps: readonly KeptStep[]): z.output<typeof TurnThoughts> {
  return {
    steps: steps.map(({ number, at, model, words, calls }) => ({
      ...{ number, at: at.toISOString(), model, hasWords: words !== null },
      ...{ thought: words?.thought ?? '', text: words?.text ?? '' },
      calls: calls.map(({ name, state, result }, index) => ({
        ...{ name, state, result: result?.content ?? null },
        arguments: words?.calls[index]?.arguments ?? {},
      })),
    })),
  };
}
