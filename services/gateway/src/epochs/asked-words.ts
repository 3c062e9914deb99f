import { present } from '@kith/contracts';
import { tellingWords } from '../quotes/quote-finder.js';
import { MARKS, type LineMark } from './rate-line.js';

/** Words asked for beside the mark's own: with fewer, other lines would answer, too; with more, only the whole sentence. */
const WORDS_BESIDE = 2;

/** Sentence that has a mark, and the words that a snapshot has to tell of it, in lower case. */
interface AskedWords {
  /** Its place among the line's sentences. */
  at: number;
  sentence: string;
  /** The mark's own words. */
  answer: string;
  /** Words for what the sentence is about. */
  beside: string[];
}

/** Splits a line into sentences. Pure. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?…\n]) ?/u);
}

/** Finds the words of a line that a question about a mark would ask for. Pure. */
export function askedWords(text: string, mark: LineMark): AskedWords {
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
  return { at, sentence, answer, beside };
}
