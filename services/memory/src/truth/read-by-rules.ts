import { extractFacts, type Statement } from './extract-facts.js';
import { readAnswer } from './read-answer.js';

/** What a line says outright, or by a short answer to what was asked before it. */
export function readByRules({ text, before }: { text: string; before?: string | undefined }): Statement[] {
  return [...(before === undefined ? [] : readAnswer(text, before)), ...extractFacts(text)];
}
