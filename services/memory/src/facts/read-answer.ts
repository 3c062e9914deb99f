import { answerInFull, asOwnWords } from './as-own-words.js';
import { extractFacts } from './extract-facts.js';
import type { Statement } from './statement.js';
import { wholeAnswerOf } from './yes-or-no.js';

/**
 * Reads a short answer with the question before it: "yes, very much" to "Do you like jazz?". Knows single questions of a
 * few forms that name their subject, or ask for a single thing ("Where do you live?"). A "no" to a liking is a dislike. To
 * anything else it says only that it does not hold, and to "Have you quit smoking?" nothing. Pure.
 */
export function readAnswer(text: string, question: string): Statement[] {
  const answer = wholeAnswerOf(text);
  if (answer === null) {
    const told = answerInFull(text, question);
    const facts = told === null ? [] : extractFacts(told.statement).filter(told.isToldBy);
    return facts.map((said) => ({ ...said, isAnswer: true }));
  }
  const asked = asOwnWords(question);
  if (asked === null) return [];
  return extractFacts(asked).flatMap(({ value, ...rest }): Statement[] => {
    const statement = { ...rest, isAnswer: true };
    if (answer === 'yes') return [{ ...statement, value }];
    if (value === null) return [];
    const isLiked = rest.attribute.startsWith('likes:') && value === 'likes';
    return [isLiked ? { ...statement, value: 'dislikes' } : { ...statement, value: null, was: value }];
  });
}
