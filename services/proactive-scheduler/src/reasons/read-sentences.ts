import { typedWords } from '@kith/contracts/typed-words';
import { detectLanguage, ownWords, readAsEnglish, sentencesOf } from '@kith/reading';

/** A sentence as it was said, and as rules for English read it. */
export interface Sentence {
  said: string;
  english: string;
}

/** Reads the sentences that somebody wrote themself: without quotes, code, and what the door inserted. */
export function readSentences(text: string): Sentence[] {
  const own = ownWords(typedWords(text));
  const { language } = detectLanguage(own);
  const { hasOrdinalDots } = readAsEnglish('', language);
  const inEnglish = (said: string): string => {
    const { text } = readAsEnglish(said, language);
    return OF_24_HOURS.has(language) ? text.replaceAll(FULL_HOUR, 'at 0$1:00') : text;
  };
  return sentencesOf(own, hasOrdinalDots).map((said) => ({ said, english: inEnglish(said) }));
}

/** Languages that count a day's hours to 24: "à 5h" is in the morning, where "at 5" may be in the afternoon. */
const OF_24_HOURS: ReadonlySet<string> = new Set(['de', 'fr', 'pt']);
const FULL_HOUR = /\bat (\d):00\b/g;
