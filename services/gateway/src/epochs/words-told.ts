import { oneLine, present, shorten } from '@kith/contracts';
import type { KeptLine } from '../conversations/talk.js';
import { says, tellingWords } from '../quotes/quote-finder.js';
import { MARKS, marksIn, rateLine, READ_CHARACTERS, type LineMark } from './rate-line.js';

/** Characters that a snapshot tells of one line: two sentences of a chat. */
const MAX_SHORT = 180;
const GAP = ' … ';
/** Characters to which a sentence's fact is filled up with nearby words: six or seven words. */
const ENOUGH_CHARACTERS = 40;
/** Characters of a line's facts: a third of what is told of a line in short. */
const MAX_FACTS = 120;
/** Words asked for beside the mark's own: with fewer, other lines would answer, too; with more, only the whole sentence. */
const WORDS_BESIDE = 2;

/** Words a line in short: by its sentences that say most, or by its facts. */
export function wordsTold({ text, asFact }: Pick<KeptLine, 'text' | 'asFact'>): string {
  return asFact ? factLine(text) : shortLine(text);
}

/**
 * Shortens a line to what a snapshot tells of it: the sentences that say most, in their order and their own words.
 * Pure.
 */
function shortLine(text: string): string {
  const whole = oneLine(text.slice(0, READ_CHARACTERS));
  if (whole.length <= MAX_SHORT) return whole;
  const sentences = whole
    .split(/(?<=[.!?…。！？]) /u)
    .map((sentence, at) => ({
      at,
      sentence: shorten(sentence, MAX_SHORT),
      rate: rateLine({ role: 'person', text: sentence }),
    }));
  const kept: typeof sentences = [];
  let length = 0;
  for (const one of sentences.toSorted((a, b) => b.rate - a.rate || a.at - b.at)) {
    if (kept.length > 0 && length + GAP.length + one.sentence.length > MAX_SHORT) continue;
    kept.push(one);
    length += one.sentence.length + GAP.length;
  }
  return kept
    .sort((a, b) => a.at - b.at)
    .map(({ sentence, at }, place) =>
      place > 0 && kept[place - 1]?.at !== at - 1 ? `… ${sentence}` : sentence,
    )
    .join(' ');
}

/**
 * Shortens a line to its facts: from each sentence with a mark, the words that would be asked for and some words near them,
 * in their order and as they were said. Empty if nothing would be asked. Pure.
 */
function factLine(text: string): string {
  const whole = oneLine(text.slice(0, READ_CHARACTERS));
  const asked = marksIn(whole).map((mark) => askedWords(whole, mark));
  const sentences = sentencesOf(whole);
  const facts = [...Map.groupBy(asked, ({ at }) => at)]
    .sort(([a], [b]) => a - b)
    .map(([at, found]) => factOf(present(sentences[at]), new Set(found.flatMap(({ words }) => words))));
  return facts
    .reduce((told, fact) => {
      const longer = told === '' ? fact : `${told}; ${fact}`;
      return longer.length > MAX_FACTS && told !== '' ? told : longer;
    }, '')
    .slice(0, MAX_FACTS);
}

function factOf(sentence: string, words: ReadonlySet<string>): string {
  const tokens = [...sentence.matchAll(/\S+/gu)].map(({ 0: text, index: from }) => ({ text, from }));
  const lower = sentence.toLowerCase();
  const told = new Set<number>();
  for (const word of words) {
    const from = lower.indexOf(word);
    if (from < 0) continue;
    for (const [at, token] of tokens.entries()) {
      if (token.from < from + word.length && token.from + token.text.length > from) told.add(at);
    }
  }
  const needed = [...told];
  const distance = (at: number) => Math.min(...needed.map((one) => Math.abs(one - at)));
  let length = tokens.reduce((sum, { text }, at) => (told.has(at) ? sum + text.length + 1 : sum), 0);
  const near = tokens
    .map(({ text }, at) => ({ at, text, far: distance(at) }))
    .filter(({ at, text }) => !told.has(at) && says(text))
    .sort((a, b) => a.far - b.far || a.at - b.at);
  for (const { at, text } of near) {
    if (length + text.length + 1 > ENOUGH_CHARACTERS) continue;
    length += text.length + 1;
    told.add(at);
  }
  return tokens
    .filter((_, at) => told.has(at))
    .map(({ text }) => text.replace(/[.,!?;:]$/u, ''))
    .join(' ');
}

/** Splits a line into sentences. Pure. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?…\n]) ?/u);
}

/**
 * Finds the words of a line that a question about a mark would ask for, in lower case: the mark's own, and some for what
 * its sentence is about. `at` is the sentence's place in the line. Pure.
 */
export function askedWords(text: string, mark: LineMark): { at: number; words: string[] } {
  const sentences = sentencesOf(text);
  const at = Math.max(
    0,
    sentences.findIndex((part) => MARKS[mark].test(part)),
  );
  const sentence = present(sentences[at]);
  const found = MARKS[mark].exec(sentence);
  const answer = (found?.[1] ?? found?.[0] ?? '').toLowerCase();
  const beside = [...tellingWords(sentence)]
    .filter((word) => !answer.includes(word))
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, WORDS_BESIDE);
  return { at, words: [answer, ...beside].filter(Boolean) };
}
