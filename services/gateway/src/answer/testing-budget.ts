import { estimateTokens } from '@kith/llm';
import type { PromptBudget } from './prompt-budget.js';

/** A budget by plain estimates, for where no model is asked. */
export function plainBudget(limit: number): PromptBudget {
  return { model: 'rehearsal', limit, room: limit, replyTokens: 0, count: estimateTokens, exact: null };
}
