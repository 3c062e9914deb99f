import type { CallAccount } from '@kith/llm';
import { cutText, oneLine, shorten, typedWords, type CitedSentences } from '@kith/contracts';
import type { z } from 'zod';
import { DAY } from '../facts/describe-fact.js';
import { sharesWord } from '../words/analyse-text.js';
import type { ReflectionPlan } from './plan-reflection.js';
import type { TopicPlan } from './plan-topics.js';

/** A sentence of a summary, with the messages it is of. */
export type CitedSentence = z.output<typeof CitedSentences>[number];

/** Sums up numbered lines about a topic, each sentence with the numbers it is of; throws when no model answers. */
export type SummariseTopic = (
  topic: string,
  lines: readonly string[],
  account?: CallAccount,
) => Promise<readonly { text: string; from: readonly number[] }[]>;

/** Characters of a quote: a sentence. */
const MAX_QUOTE = 150;
/** Characters of a model's sentence: what is longer is several. */
const MAX_SENTENCE = 240;
/** Sentences of a summary: as many as lines that it is made of, at most. */
const MAX_SENTENCES = 6;

/**
 * Writes a topic's summary, each sentence with its sources: by the model, as far as its sentences name their lines,
 * or, without a model or with too few such sentences, as dated quotes.
 */
export async function writeSummary(
  plan: TopicPlan,
  summarise: SummariseTopic | null,
  account: CallAccount = {},
): Promise<CitedSentence[]> {
  const lines = plan.statements.map(
    ({ text, saidAt }) => `${DAY.format(saidAt)}: ${shorten(oneLine(text), MAX_QUOTE)}`,
  );
  const written = summarise ? await summarise(plan.name, lines, account).catch(() => []) : [];
  const cited = written
    .slice(0, MAX_SENTENCES)
    .flatMap(({ text, from }) => citedSentence(plan, text, from) ?? []);
  // One sentence of several lines leaves most of them out.
  return cited.length >= Math.min(2, lines.length) ? cited : quoted(plan);
}

/** Words a summary as it is kept: what it is about and since when, then its sentences. */
export function textOfSummary({ name, lines, from, to }: TopicPlan, sentences: readonly CitedSentence[]) {
  const span = `${DAY.format(from)} to ${DAY.format(to)}, ${lines} times`;
  return `About ${name} (${span}): ${sentences.map(({ text }) => text).join(' ')}`;
}

function citedSentence({ statements }: TopicPlan, text: string, from: readonly number[]) {
  const named = [...new Set(from)].flatMap((number) => statements[number - 1] ?? []);
  const told = oneLine(text);
  const isOf = told.length <= MAX_SENTENCE && named.some((statement) => sharesWord(told, statement.text));
  return isOf ? { text: told, sources: [...new Set(named.flatMap(({ sources }) => sources))] } : null;
}

function quoted({ statements }: TopicPlan): CitedSentence[] {
  return statements.map(({ text, saidAt, sources }) => ({
    text: `${DAY.format(saidAt)}: “${shorten(oneLine(text), MAX_QUOTE)}”`,
    sources,
  }));
}

/** Sums up statements in a few sentences; throws when no model answers. */
export type Summarise = (statements: string[], account?: CallAccount) => Promise<string>;

/** Characters of a quote of a day: a sentence or two. */
const MAX_DAY_QUOTE = 220;
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
  const quotes = statements.map(({ text }) => shorten(oneLine(typedWords(text)), MAX_DAY_QUOTE));
  const summary = (await summarise?.(quotes, account).catch(() => ''))?.trim();
  if (summary) return `${on}: ${cutText(summary, MAX_REFLECTION_CHARACTERS)}`;
  return `${on} they said: ${quotes.map((quote) => `“${quote}”`).join(' ')}`;
}
