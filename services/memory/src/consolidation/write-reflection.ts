import type { CallAccount } from '@kith/llm';
import { cutText, oneLine, shorten, typedWords } from '@kith/contracts';
import { DAY } from '../facts/describe-fact.js';
import type { ReflectionPlan } from './plan-consolidation.js';

/** Sums up statements in a few sentences; throws when no model answers. */
export type Summarise = (statements: string[], account?: CallAccount) => Promise<string>;

/** Characters of a quote: a sentence or two. */
const MAX_QUOTE = 220;
/** Characters of a reflection: as many as of any memory (`split-text.ts`). */
const MAX_REFLECTION_CHARACTERS = 1_200;

/** Writes a day's reflection: by the fast model, or, without one or with it out of reach, in the person's own words. */
export async function writeReflection(
  day: string,
  { statements }: ReflectionPlan,
  summarise: Summarise | null,
  account: CallAccount = {},
): Promise<string> {
  const on = `On ${DAY.format(new Date(day))}`;
  const quotes = statements.map(({ text }) => shorten(oneLine(typedWords(text)), MAX_QUOTE));
  const summary = (await summarise?.(quotes, account).catch(() => ''))?.trim();
  if (summary) return `${on}: ${cutText(summary, MAX_REFLECTION_CHARACTERS)}`;
  return `${on} they said: ${quotes.map((quote) => `“${quote}”`).join(' ')}`;
}
