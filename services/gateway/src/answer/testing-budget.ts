import { estimateTokens, PICTURE_TOKENS } from '@kith/llm';
import type { PromptBudget } from './prompt-budget.js';

/** A budget by plain estimates, for where no model is asked. */
export function plainBudget(limit: number, most = limit): PromptBudget {
  return {
    model: 'rehearsal',
    limit,
    most,
    room: most,
    toolTokens: most,
    pictureTokens: PICTURE_TOKENS,
    replyTokens: 0,
    count: estimateTokens,
    exact: null,
  };
}
