import type { Wish } from '@kith/contracts';
import { estimateTokens } from '@kith/llm';
import { analyseText } from '../words/analyse-text.js';
import type { MemoryRow } from '../rows/memory-row.js';
import { conditionOf, WISH } from './read-wishes.js';

/** Tokens of wishes in a prompt: a dozen of them. Each turn pays for it, so it is a third of what memories get. */
export const WISH_TOKENS = 300;
/** Share of it for preferences, so that many of them leave room for how to answer. */
const PREFERENCE_SHARE = 0.5;
/** Allowance for the dash, the line break, and the text around the block. */
const TOKENS_A_LINE = 4;

export type WishRow = Pick<MemoryRow, 'id' | 'text' | 'attribute' | 'value' | 'saidAt' | 'sources'>;

/** Parts of a question that decide which wishes apply. */
export interface WishedFor {
  terms: readonly string[];
  asksAdvice: boolean;
}

/**
 * Chooses the wishes and preferences that go into a prompt, within a budget. First those without a condition, then
 * those whose condition matches the question, then the newest: words alone can't tell that a login is "an
 * implementation detail", and a rule that does not apply does no harm. Preferences only where advice is asked for, or
 * where they match the question. Pure.
 * @param rows current wishes that may be heard
 */
export function chooseWishes(rows: readonly WishRow[], asked: WishedFor, maxTokens = WISH_TOKENS): Wish[] {
  const terms = new Set(asked.terms);
  const weighed = rows.map((row) => ({
    row,
    shared: sharedTerms(row.value ?? '', terms),
    kind: kindOf(row),
  }));
  const wishes = weighed
    .filter(({ kind }) => kind === 'wish')
    .toSorted((a, b) => rankOf(b) - rankOf(a) || newestFirst(a.row, b.row));
  const preferences = weighed
    .filter(({ kind, shared }) => kind === 'preference' && (shared > 0 || asked.asksAdvice))
    .toSorted((a, b) => b.shared - a.shared || newestFirst(a.row, b.row));
  const chosenPreferences = within(preferences, maxTokens * PREFERENCE_SHARE);
  const chosen = [...within(wishes, maxTokens - tokensOf(chosenPreferences)), ...chosenPreferences];
  return chosen.map(({ row: { id, text, sources }, kind }) => ({ id, kind, text, sources }));
}

interface WeighedWish {
  row: WishRow;
  shared: number;
  kind: Wish['kind'];
}

function kindOf({ attribute }: WishRow): Wish['kind'] {
  return attribute?.startsWith(WISH) ? 'wish' : 'preference';
}

/** Ranks wishes without a condition first. */
function rankOf({ row, shared }: WeighedWish): number {
  return conditionOf(row.value ?? '') === null ? Number.MAX_SAFE_INTEGER : shared;
}

function sharedTerms(text: string, terms: ReadonlySet<string>): number {
  return new Set(analyseText(text).filter((term) => terms.has(term))).size;
}

function newestFirst(a: WishRow, b: WishRow): number {
  return b.saidAt.getTime() - a.saidAt.getTime() || (a.id < b.id ? -1 : 1);
}

function within(sorted: readonly WeighedWish[], maxTokens: number): WeighedWish[] {
  let left = maxTokens;
  return sorted.filter(({ row }) => {
    const tokens = estimateTokens(row.text) + TOKENS_A_LINE;
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

function tokensOf(chosen: readonly WeighedWish[]): number {
  return chosen.reduce((sum, { row }) => sum + estimateTokens(row.text) + TOKENS_A_LINE, 0);
}
