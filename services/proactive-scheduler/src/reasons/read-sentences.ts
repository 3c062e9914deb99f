import { textForRules } from '@kith/reading';

/** The sentences of a message in its speaker's own words: without what is quoted, code, or a mention. */
export function readSentences(text: string): string[] {
  return sentencesOf(ownWords(text));
}

function ownWords(text: string): string {
  return textForRules(text)
    .replaceAll('’', "'")
    .replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, ' ')
    .replaceAll(/^ ?>.*$/gm, ' ')
    .replaceAll(/"[^"\n]*"|“[^“”\n]*”|«[^«»\n]*»/g, ' ')
    .replaceAll(/<[@#:][^<>\s]*>/g, ' ')
    .replaceAll(/\b([ap])\.m\./gi, '$1m');
}

/** The longest message of ordinary sentences has no more. */
const MAX_SENTENCES = 40;
/** Longer than any sentence; the parser of dates reads each several times. */
const MAX_SENTENCE = 600;

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…]) |\n/)
    .map((sentence) => sentence.trim().slice(0, MAX_SENTENCE))
    .filter((sentence) => sentence !== '')
    .slice(0, MAX_SENTENCES);
}
