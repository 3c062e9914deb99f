import { detectLanguage } from './languages/detect-language.js';
import type { Language } from './languages/languages.js';
import { readAsEnglish } from './languages/read-as-english.js';
import { textForRules } from './plain-text.js';
import { QUOTATION } from './read-clauses.js';

/** Sentences that somebody wrote themself, in one language. */
export interface OwnSentences {
  language: Language;
  sentences: string[];
}

/**
 * Reads the sentences of a message that its sender wrote themself: without quotes and code.
 * @param typed words without what a door put in (`typedWords`)
 */
export function ownSentences(typed: string): OwnSentences {
  const own = textForRules(typed)
    .replaceAll('’', "'")
    .replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, ' ')
    .replaceAll(/^ ?>>> [^]*|^ ?>.*$/gm, ' ')
    .replaceAll(QUOTATION, ' ')
    .replaceAll(/<[@#:][^<>\s]*>/g, ' ')
    .replaceAll(/\b([ap])\.m\./gi, '$1m');
  const { language } = detectLanguage(own);
  const { hasOrdinalDots } = readAsEnglish('', language);
  return { language, sentences: sentencesOf(own, hasOrdinalDots ? END_BUT_ORDINALS : END) };
}

/** The longest message of ordinary sentences has no more. */
const MAX_SENTENCES = 40;
/** Longer than any sentence; the parser of dates reads each several times. */
const MAX_SENTENCE = 600;

const END = /(?<=[.!?…]) |\n/;
/** End of a sentence, but not the ordinal of "Am 3. Mai". */
const END_BUT_ORDINALS = /(?<=[!?…]|(?<!\d)\.) |\n/;

function sentencesOf(text: string, end: RegExp): string[] {
  return text
    .split(end)
    .map((sentence) => sentence.replaceAll(/ {2,}/g, ' ').trim().slice(0, MAX_SENTENCE))
    .filter((sentence) => sentence !== '')
    .slice(0, MAX_SENTENCES);
}
