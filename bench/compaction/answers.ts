import type { KeptLine } from '../../services/gateway/dist/conversations/talk.js';
import { wordsTold } from '../../services/gateway/dist/epochs/words-told.js';
import { tellingWords } from '../../services/gateway/dist/quotes/quote-finder.js';

/** A line told by its facts is evidence where they have those words of the answer that the line itself has, and it has some. */
export function answers({ text, asFact }: KeptLine, answer: string | null): boolean {
  if (!asFact) return true;
  const own = tellingWords(text);
  const fact = tellingWords(wordsTold({ text, asFact }));
  const wanted = [...tellingWords(answer ?? '')].filter((word) => own.has(word));
  return wanted.length > 0 && wanted.every((word) => fact.has(word));
}
