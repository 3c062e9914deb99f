import { present } from '@kith/contracts';
import { tellingWords } from '../forgetting/find-quotes.js';
import { MARKS, type Mark } from './rate-line.js';

/** Words beside the mark: fewer fit other lines, more ask for the whole sentence. */
const WORDS_BESIDE = 2;

/** Sentence that bears a mark, and the words in lower case without which it is not told: the mark's, and what it is about. */
export interface AskedWords {
  /** Its place among the line's sentences. */
  at: number;
  sentence: string;
  answer: string;
  beside: string[];
}

/** Splits a line into sentences. Pure. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?…\n]) ?/u);
}

/** Finds what would be asked for of a line because of a mark. Pure. */
export function askedWords(text: string, mark: Mark): AskedWords {
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
