import { readAsEnglish, textForRules } from '@kith/reading';
import { extractFacts } from './extract-facts.js';
import type { Statement } from './statement.js';
import { withSubject } from './elided-subject.js';
import { readAnswer } from './read-answer.js';
import { readWishes } from './read-wishes.js';

/**
 * Reads the facts and wishes of a line by the rules of its language, with the question before it where the line is a
 * short answer.
 */
export function readByRules({ text, before }: { text: string; before?: string | undefined }): Statement[] {
  const said = textForRules(text);
  return [
    ...(before === undefined ? [] : readAnswered(said, before)),
    ...extractFacts(ofWriter(readAsEnglish(said).text, before)),
    ...readWishes(text),
  ];
}

/** A short answer is in the language of its question: "ja" is in many. */
function readAnswered(said: string, before: string): Statement[] {
  const asked = readAsEnglish(textForRules(before));
  return readAnswer(readAsEnglish(said, asked.language).text, asked.text);
}

/** Question about somebody else: "moved to Graz" answers it about them. */
const ABOUT_OTHERS = /\b(?:he|she|they|them|who|your)\b[^?]{0,200}\?/iu;

function ofWriter(english: string, before = ''): string {
  return ABOUT_OTHERS.test(before) ? english : withSubject(english);
}
