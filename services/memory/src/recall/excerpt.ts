import { cutText } from '@kith/contracts';
import { splitSentences } from '@kith/reading';
import { analyseText } from '../words/analyse-text.js';

/** Characters of an excerpt: two short sentences, so that twenty occurrences fit where five lines would. */
export const EXCERPT_CHARACTERS = 180;
/** Sentences that are compared: a memory of 1,200 characters has hardly more. */
const MAX_SENTENCES = 40;

/** Cuts a line to its sentence with most of these terms, the first of equals, so that more lines fit. Pure. */
export function excerpt(text: string, terms: readonly string[]): string {
  if (text.length <= EXCERPT_CHARACTERS) return text;
  const wanted = new Set(terms);
  const sentences = splitSentences(text, MAX_SENTENCES);
  const shared = sentences.map((each) => new Set(analyseText(each).filter((term) => wanted.has(term))).size);
  const best = shared.indexOf(Math.max(...shared));
  const told = sentences.slice(best).join(' ');
  const end = told.length <= EXCERPT_CHARACTERS ? told.length : lastBreak(told);
  return `${best === 0 ? '' : '… '}${told.slice(0, end).trim()}${end < told.length ? ' …' : ''}`;
}

/** Finds the last end of a word that fits; in a text without spaces, the last character. */
function lastBreak(text: string): number {
  const at = text.lastIndexOf(' ', EXCERPT_CHARACTERS);
  return at > 0 ? at : cutText(text, EXCERPT_CHARACTERS).length;
}
