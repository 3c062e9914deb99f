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

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…]) |\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
