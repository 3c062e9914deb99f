import { extractFacts } from './extract-facts.js';
import type { Statement } from './statement.js';
import { readAnswer } from './read-answer.js';

/** Reads what a line says outright, or by a short answer to the question before it. */
export function readByRules({ text, before }: { text: string; before?: string | undefined }): Statement[] {
  return [...(before === undefined ? [] : readAnswer(text, before)), ...extractFacts(text)];
}
