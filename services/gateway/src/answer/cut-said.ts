import type { CountTokens } from '@kith/llm';
import { charactersThatFit } from '../safety/characters-that-fit.js';
import type { PromptBudget } from './prompt-budget.js';

/** Share of a prompt for the burst, with its pictures; the rest is for persona, memories and earlier talk. */
export const SAID_SHARE = 0.5;
/** Share of a prompt for quoted messages, beside the burst. */
const QUOTED_SHARE = 0.2;
/** Tokens of a quote beside its text: a name and a line break. */
const LINE_TOKENS = 8;

/** Share of a prompt that is said at least, whatever else stands in it: it is what the reply answers. */
const LEAST_SHARE = 0.2;
/** Stands for the middle of what is too long, so that the companion can say so. */
const LEFT_OUT = ' [… a part here was too long to be read …] ';

/** Chooses the newest quotes that a prompt has room for. Pure. */
export function newestQuotes<Quoted extends { text: string }>(
  quotes: readonly Quoted[],
  limit: number,
  count: CountTokens,
): Quoted[] {
  let tokens = 0;
  const end = quotes.findLastIndex(({ text }) => {
    tokens += count(text) + LINE_TOKENS;
    return tokens > limit * QUOTED_SHARE;
  });
  return quotes.slice(end + 1);
}

/** Chooses the newest pictures that a prompt has room for beside what is said. Pure. */
export function picturesThatFit<Picture>(
  pictures: readonly Picture[],
  said: readonly string[],
  { limit, count, pictureTokens }: Pick<PromptBudget, 'limit' | 'count' | 'pictureTokens'>,
): Picture[] {
  const words = said.reduce((sum, text) => sum + count(text) + LINE_TOKENS, 0);
  const max = Math.max(0, Math.floor((limit * SAID_SHARE - words) / pictureTokens));
  return pictures.slice(Math.max(0, pictures.length - max));
}

/**
 * Leaves out the middle of what is said where a prompt has no room for it, so that it can be answered. Pure.
 * @param room tokens that the model holds beside all else in the prompt
 * @param limit of the whole prompt, before talk is compacted
 */
export function cutSaid(said: string, room: number, limit: number, count: CountTokens): string {
  const max = Math.max(room, limit * LEAST_SHARE);
  if (count(said) <= max) return said;
  const cut = (characters: number) =>
    `${said.slice(0, characters >> 1)}${LEFT_OUT}${said.slice(said.length - (characters >> 1))}`;
  const characters = charactersThatFit(said.length, (some) => count(cut(some)) <= max);
  // Some model hosts refuse a whole request for half a surrogate pair.
  return cut(characters).toWellFormed();
}
