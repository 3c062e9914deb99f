import {
  jsonTokens,
  promptLimit,
  promptRoom,
  type CountTokens,
  type ModelRoles,
  type ToolDefinition,
} from '@kith/llm';
import { RESULT_TOKENS } from '../tools/mark-result.js';

/** Tokens that a turn's prompt and reply may have, and the way in which they are counted. */
export interface PromptBudget {
  /** Model with the lowest limit of those that may answer. */
  model: string;
  /** Tokens of the prompt, beside the tools that are offered, before the conversation is compacted. */
  limit: number;
  /** Most tokens that it may have, however long the message: with the tools and one of their results the model holds it. */
  most: number;
  /** Most tokens of any prompt of the turn, tools and their results included, as `estimatePrompt` counts them. */
  room: number;
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

/** Share of the limit that tools may take from what is said, where the context has no room for them beside it. */
const TOOLS_SHARE = 0.4;

/**
 * Works out what the models of the chat role allow now.
 * @param definitions tools that are offered: the prompt leaves room for them, and for one of their results
 */
export function budgetOf(
  { chat, cards }: Pick<ModelRoles, 'chat' | 'cards'>,
  { maxPromptTokens, maxReplyTokens }: TokenLimits,
  definitions: readonly ToolDefinition[] = [],
): PromptBudget {
  const { model, card } = cards.smallestOf(chat.models);
  const replyTokens = Math.min(maxReplyTokens, card.maxOutputTokens);
  // A model with a large window, little of which is filled, may have the lowest limit and not the least room.
  const tightest = cards.smallestOf(chat.models, promptRoom);
  const room = promptRoom(tightest.card, replyTokens);
  const forTools = definitions.length > 0 ? RESULT_TOKENS + jsonTokens(definitions) : 0;
  const most = Math.max(0, Math.min(room - forTools, maxPromptTokens || Infinity));
  return {
    model,
    limit: Math.min(promptLimit(card, replyTokens), most),
    most,
    room: cards.counter.uncorrected(tightest.model, room),
    replyTokens,
    count: cards.counter.quick(model),
    get exact() {
      return cards.counter.exact(card);
    },
  };
}

/** Chooses in their order tools whose definitions a prompt has room for: our own come before those from outside. Pure. */
export function toolsWithin<Definition extends ToolDefinition>(
  definitions: readonly Definition[],
  { limit, room }: Pick<PromptBudget, 'limit' | 'room'>,
): Definition[] {
  const most = Math.max(limit * TOOLS_SHARE, room - RESULT_TOKENS - limit);
  let tokens = 0;
  return definitions.filter((definition) => {
    const cost = jsonTokens([definition]);
    const fits = tokens + cost <= most;
    if (fits) tokens += cost;
    return fits;
  });
}

/** Tokens of a message beside its text: role and separators. */
export const MESSAGE_TOKENS = 4;

/**
 * Picks the way to count these texts and lines: by estimate, and exactly only where that could decide whether they fit.
 * @param besides tokens of pictures
 */
export function counterFor(
  texts: readonly string[],
  lines: readonly { content: string }[],
  besides: number,
  budget: Pick<PromptBudget, 'limit' | 'count' | 'exact'>,
): CountTokens {
  const total =
    besides +
    texts.reduce((sum, text) => sum + budget.count(text), 0) +
    lines.reduce((sum, line) => sum + budget.count(line.content, line) + MESSAGE_TOKENS, 0);
  return total >= budget.limit * CLOSE && budget.exact ? budget.exact : budget.count;
}
