import { typedWords } from '@kith/contracts/typed-words';
import { detectLanguage, QUOTATION, readAsEnglish, textForRules } from '@kith/reading';

/** A sentence as it was said, and as rules for English read it. */
export interface Sentence {
  said: string;
  english: string;
}

/** Reads the sentences that somebody wrote themself: without quotes, code, and what the door inserted. */
export function readSentences(text: string): Sentence[] {
  const own = ownWords(text);
  const { language } = detectLanguage(own);
  const { hasOrdinalDots } = readAsEnglish('', language);
  const inEnglish = (said: string): string => {
    const { text } = readAsEnglish(said, language);
    return OF_24_HOURS.has(language) ? text.replaceAll(FULL_HOUR, 'at 0$1:00') : text;
  };
  return sentencesOf(own, hasOrdinalDots ? END_BUT_ORDINALS : END).map((said) => ({
    said,
    english: inEnglish(said),
  }));
}

/** Languages that count a day's hours to 24: "à 5h" is in the morning, where "at 5" may be in the afternoon. */
const OF_24_HOURS: ReadonlySet<string> = new Set(['de', 'fr', 'pt']);
const FULL_HOUR = /\bat (\d):00\b/g;

function ownWords(text: string): string {
  return textForRules(typedWords(text))
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

function sentencesOf(text: string, end: RegExp): string[] {
  return text
    .split(end)
    .map((sentence) => sentence.replaceAll(/ {2,}/g, ' ').trim().slice(0, MAX_SENTENCE))
    .filter((sentence) => sentence !== '')
    .slice(0, MAX_SENTENCES);
}
