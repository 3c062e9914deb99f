import { textForRules } from './plain-text.js';
import { QUOTATION } from './read-clauses.js';

/**
 * Reads what the sender of a message wrote themself: without quotes and code.
 * @param typed words without what a door put in (`typedWords`)
 */
export function ownWords(typed: string): string {
  return textForRules(typed)
    .replaceAll('’', "'")
    .replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, ' ')
    .replaceAll(/^ ?>>> [^]*|^ ?>.*$/gm, ' ')
    .replaceAll(QUOTATION, ' ')
    .replaceAll(/<[@#:][^<>\s]*>/g, ' ')
    .replaceAll(/\b([ap])\.m\./gi, '$1m');
}

/** The longest message of ordinary sentences has no more. */
const MAX_SENTENCES = 40;
/** Longer than any sentence; the parser of dates reads each several times. */
const MAX_SENTENCE = 600;

const END = /(?<=[.!?…]) |\n/;
/** End of a sentence, but not the ordinal of "Am 3. Mai". */
const END_BUT_ORDINALS = /(?<=[!?…]|(?<!\d)\.) |\n/;

/**
 * Splits somebody's own words into sentences.
 * @param hasOrdinalDots a full stop after a number may end no sentence in its language
 */
export function sentencesOf(own: string, hasOrdinalDots = false): string[] {
  return own
    .split(hasOrdinalDots ? END_BUT_ORDINALS : END)
    .map((sentence) => sentence.replaceAll(/ {2,}/g, ' ').trim().slice(0, MAX_SENTENCE))
    .filter((sentence) => sentence !== '')
    .slice(0, MAX_SENTENCES);
}
