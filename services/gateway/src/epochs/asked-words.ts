import { present } from '@kith/contracts';
import { tellingWords } from '../quotes/quote-finder.js';
import { MARKS, type LineMark } from './rate-line.js';

/** Words asked for beside the mark's own: with fewer, other lines would answer, too; with more, only the whole sentence. */
const WORDS_BESIDE = 2;

/** Splits a line into sentences. Pure. */
export function sentencesOf(text: string): string[] {
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
