import type { Note } from './read-prompt.js';
import type { Question } from './read-question.js';
import { DISLIKE, LOVE, sentencesOf, shareOf, termsOf, withPlainLikes, wordsOf } from './words.js';

const NEGATIONS = new Set(['not', 'never', 'no', 'nobody', 'nothing', 'neither', 'without']);
/** Words of doubt: a person who leaves it open decides nothing. */
const OPEN = /\b(?:if|maybe|perhaps|might|would|could|should|used to|want|hope|plan|think)\b/iu;
/** A sentence with more words than were asked for, by more than these, may say its yes or no of something else. */
const MAX_FURTHER = 2;

/**
 * Reads a yes or no to a question from a note, by one sentence of it that has all the words that were asked for; null
 * where it leaves that open. Pure.
 */
export function decideVerdict(question: Question, note: Note): 'yes' | 'no' | null {
  const asked = [...question.terms.keys()].filter((term) => term !== LOVE && term !== DISLIKE);
  if (asked.length === 0) return null;
  const sentence = sentencesOf(note.text).find((each) => {
    const told = new Map(termsOf(each).map((term) => [term, 1]));
    return asked.every((term) => shareOf(term, told) > 0);
  });
  if (sentence === undefined || sentence.endsWith('?') || OPEN.test(sentence)) return null;
  if (note.kind === 'fact' && note.text.endsWith('no longer)')) return null;
  const further = termsOf(sentence).filter((term) => term !== LOVE && term !== DISLIKE).length - asked.length;
  if (further > MAX_FURTHER) return null;
  // A question of likes is answered by a line that tells of likes, and no other by such a line.
  const isOfLikes = feelingIn(question.text) !== 0;
  if (isOfLikes !== (feelingIn(sentence) !== 0)) return null;
  return polarityOf(question.text) === polarityOf(sentence) ? 'yes' : 'no';
}

/** 1 for liking, -1 for disliking, 0 for neither. */
function feelingIn(text: string): number {
  const terms = termsOf(text);
  return terms.includes(DISLIKE) ? -1 : terms.includes(LOVE) ? 1 : 0;
}

/** -1 for what denies or dislikes, 1 for what does neither or both. */
function polarityOf(text: string): number {
  const plain = withPlainLikes(text);
  const isDenied = wordsOf(plain).some((word) => NEGATIONS.has(word)) || /n['’]t\b/iu.test(plain);
  return (isDenied ? -1 : 1) * (feelingIn(text) || 1);
}
