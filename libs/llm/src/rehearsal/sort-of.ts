import { wordsOf } from './words.js';

/** Verbs that carry a question. */
export const VERBS = new Set(
  'am is are was were do does did have has had can could will would should may'.split(' '),
);

const KIND = new Set('kind kinds type types sort sorts name names of'.split(' '));

/** Words that name the sort of answer: "what new job …". */
const SORT_WORDS = 3;

/** The sort of answer that "what food do I …" or "how many brothers …" names: the words before the verb. */
export function sortOf(text: string): string[] {
  const words = wordsOf(text);
  const start = words[0] === 'how' ? 2 : 1;
  const verb = words.findIndex((word, place) => place >= start && VERBS.has(word));
  const sort = words.slice(start, verb).filter((word) => !KIND.has(word));
  return verb === -1 || sort.length > SORT_WORDS ? [] : sort;
}
