import { estimateTokens, PICTURE_TOKENS } from '@kith/llm';
import type { PromptBudget } from './prompt-budget.js';

/** A budget by plain estimates, for where no model is asked. */
export function plainBudget(limit: number, max = limit): PromptBudget {
  return {
    model: 'rehearsal',
    limit,
    max,
    room: max,
    toolTokens: max,
    pictureTokens: PICTURE_TOKENS,
    replyTokens: 0,
    count: estimateTokens,
    exact: null,
  };
}
