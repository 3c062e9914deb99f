import { extractFacts } from './extract-facts.js';
import type { Statement } from './statement.js';
import { readAnswer } from './read-answer.js';
import { readWishes } from './read-wishes.js';

/** Reads what a line says outright, asks for from then on, or says by a short answer to the question before it. */
export function readByRules({ text, before }: { text: string; before?: string | undefined }): Statement[] {
  return [
    ...(before === undefined ? [] : readAnswer(text, before)),
    ...extractFacts(text),
    ...readWishes(text),
  ];
}
