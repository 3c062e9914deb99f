import {
  jsonTokens,
  PICTURE_TOKENS,
  promptLimit,
  promptRoom,
  type CardedModel,
  type CountTokens,
  type ModelCards,
  type ModelRoles,
  type ToolDefinition,
} from '@kith/llm';
import { RESULT_TOKENS } from '../tools/mark-result.js';

/**
 * Tokens that a turn's prompt and reply may have, and the way in which they are counted. They are those of one model of
 * the chain: what fits by them fits each of its models by the count of its own.
 */
export interface PromptBudget {
  /** Model that holds the least talk of those that may answer. */
  model: string;
  /** Tokens of the prompt, beside the tools that are offered, before the conversation is compacted. */
  limit: number;
  /** Most tokens that it may have, however long the message: with the tools and one of their results the model holds it. */
  max: number;
  /** Most tokens of any prompt of the turn, tools and their results included, as `estimatePrompt` counts them. */
  room: number;
  /** Most tokens of the tools that are offered, as `jsonTokens` counts them. */
  toolTokens: number;
  pictureTokens: number;
  replyTokens: number;
  count: CountTokens;
  /** Counts exactly where a model's vocabulary is at hand; takes a hundred times as long. */
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

/** Room of one model, in tokens of its own. */
interface Window extends CardedModel {
  /** Tokens of its own that one of the plain estimate is. */
  factor: number;
  limit: number;
  max: number;
  room: number;
}

/**
 * Works out what the models of the chat role allow now.
 * @param definitions tools that are offered: the prompt leaves room for them, and for one of their results
 */
export function budgetOf(
  { chat, cards }: Pick<ModelRoles, 'chat' | 'cards'>,
  { maxPromptTokens, maxReplyTokens }: TokenLimits,
  definitions: readonly ToolDefinition[] = [],
): PromptBudget {
  const { counter } = cards;
  const models = cards.answering(chat.models);
  const replyTokens = Math.min(maxReplyTokens, ...models.map(({ card }) => card.maxOutputTokens));
  const forTools = definitions.length > 0 ? RESULT_TOKENS + jsonTokens(definitions) : 0;
  const windows = models.map(({ model, card }): Window => {
    const factor = counter.factorOf(model);
    const room = promptRoom(card, replyTokens);
    const max = Math.max(0, Math.min(Math.floor(room - forTools * factor), maxPromptTokens || Infinity));
    return { model, card, factor, room, max, limit: Math.min(promptLimit(card, replyTokens), max) };
  });
  const {
    model,
    factor,
    limit: least,
  } = windows.reduce((one, next) => (next.limit / next.factor < one.limit / one.factor ? next : one));
  // A model with a large window, little of which is filled, may hold the least talk and not the least in all.
  const max = Math.floor(Math.min(...windows.map((one) => one.max * (factor / one.factor))));
  const limit = Math.min(least, max);
  const room = Math.floor(Math.min(...windows.map((one) => one.room / one.factor)));
  const weighted = windows.map((one) => ({ ...one, weight: weightOf(one, { limit, max }) }));
  return {
    model,
    limit,
    max,
    room,
    replyTokens,
    toolTokens: Math.max((limit / factor) * TOOLS_SHARE, room - RESULT_TOKENS - limit / factor),
    // Hosts count a picture alike, whatever a word is to them.
    pictureTokens: Math.ceil(PICTURE_TOKENS * Math.max(...weighted.map(({ weight }) => weight))),
    // By an estimate, what this model holds the others do, too.
    count: counter.quick(model),
    get exact() {
      return exactCount(counter, weighted);
    },
  };
}

/** Tells how many tokens of a budget one of a model is, so that what fits the budget fits the model. */
function weightOf(own: Pick<Window, 'limit' | 'max'>, { limit, max }: Pick<Window, 'limit' | 'max'>) {
  return Math.max(own.limit > 0 ? limit / own.limit : 1, own.max > 0 ? max / own.max : 1);
}

/** Makes the count by the vocabularies of the models that have one; the model that a text fills most counts it. */
function exactCount(
  counter: ModelCards['counter'],
  windows: readonly (Window & { weight: number })[],
): CountTokens | null {
  const exact = windows.map(({ card }) => counter.exact(card));
  if (exact.every((count) => count === null)) return null;
  // A vocabulary that several models share counts once for all of them.
  const weights = new Map<CountTokens, number>();
  for (const [at, { model, weight }] of windows.entries()) {
    const count = exact[at] ?? counter.quick(model);
    weights.set(count, Math.max(weight, weights.get(count) ?? 0));
  }
  return (text, of) =>
    Math.ceil(Math.max(...Array.from(weights, ([count, weight]) => weight * count(text, of))));
}

/** Chooses in their order tools whose definitions a prompt has room for: our own come before those from outside. Pure. */
export function toolsWithin<Definition extends ToolDefinition>(
  definitions: readonly Definition[],
  { toolTokens }: Pick<PromptBudget, 'toolTokens'>,
): Definition[] {
  let tokens = 0;
  return definitions.filter((definition) => {
    const cost = jsonTokens([definition]);
    const fits = tokens + cost <= toolTokens;
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
