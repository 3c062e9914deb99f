import { promptLimit, type CountTokens, type ModelRoles } from '@kith/llm';

/** Tokens that a turn's prompt and reply may have, and the way in which they are counted. */
export interface PromptBudget {
  /** Model that holds the least of those that may answer. */
  model: string;
  /** Tokens of the prompt, before the conversation is compacted. */
  limit: number;
  replyTokens: number;
  count: CountTokens;
  /** Counts exactly where the model's vocabulary is at hand; takes a hundred times as long. */
  exact: CountTokens | null;
}

/** The operator's own limits. */
export interface TokenLimits {
  /** 0: as the model allows. */
  maxPromptTokens: number;
  maxReplyTokens: number;
}

/** Share of the limit above which an estimate, off by a fifth at times, can't tell whether a prompt fits. */
const CLOSE = 0.8;

/** Works out what the models of the chat role allow now. */
export function budgetOf(
  { chat, cards }: Pick<ModelRoles, 'chat' | 'cards'>,
  { maxPromptTokens, maxReplyTokens }: TokenLimits,
): PromptBudget {
  const { model, card } = cards.smallestOf(chat.models);
  const replyTokens = Math.min(maxReplyTokens, card.maxOutputTokens);
  const allowed = promptLimit(card, replyTokens);
  return {
    model,
    limit: maxPromptTokens === 0 ? allowed : Math.min(allowed, maxPromptTokens),
    replyTokens,
    count: cards.counter.quick(model),
    get exact() {
      return cards.counter.exact(card);
    },
  };
}

/**
 * Picks the way to count these texts and lines: by estimate, and exactly only where that could decide whether they fit.
 */
export function counterFor(
  texts: readonly string[],
  lines: readonly { content: string }[],
  budget: Pick<PromptBudget, 'limit' | 'count' | 'exact'>,
): CountTokens {
  const total =
    texts.reduce((sum, text) => sum + budget.count(text), 0) +
    lines.reduce((sum, line) => sum + budget.count(line.content, line), 0);
  return total >= budget.limit * CLOSE && budget.exact ? budget.exact : budget.count;
}
