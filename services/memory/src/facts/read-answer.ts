import { asOwnWords } from './as-own-words.js';
import { extractFacts } from './extract-facts.js';
import type { Statement } from './statement.js';
import { wholeAnswerOf } from './yes-or-no.js';

/**
 * Reads a short answer with the question before it: "yes, very much" to "Do you like jazz?". Knows single questions of
 * a few forms that name their subject. A no reverses likes; of anything else it says only that it does not hold. Pure.
 */
export function readAnswer(text: string, question: string): Statement[] {
  const answer = wholeAnswerOf(text);
  if (answer === null) return [];
  const asked = asOwnWords(question);
  if (asked === null) return [];
  return extractFacts(asked).map(({ value, ...rest }): Statement => {
    const statement = { ...rest, isAnswer: true };
    if (answer === 'yes') return { ...statement, value };
    if (rest.attribute.startsWith('likes:')) {
      return { ...statement, value: value === 'likes' ? 'dislikes' : 'likes' };
    }
    return { ...statement, value: null, was: value ?? undefined };
  });
}
