import { DEFAULT_LANGUAGE, detectLanguage, wordsOfLanguage } from '@kith/reading';
import { phrasesIn, placesOf } from './phrases-in.js';
import { valenceOf } from './valence-of.js';
import { isKnownVerb } from './word-classes.js';

/** Words of another language from which a text is in it. One alone is often English as well: "war", "also", "dan", "tom". */
const SURE_WORDS = 2;

/** Verbs after an "i" that is English. "Do" is not one of them: in Polish, "i do" means "and to". */
const AFTER_I = new Set(
  'am was have had got feel felt will would did can could should might must keep went made just really'.split(
    ' ',
  ),
);

/** Tells whether rules for English may read a text: "die" and "war" are common words elsewhere. */
export function mayBeEnglish(text: string): boolean {
  const { language, also } = detectLanguage(text);
  // A capital "I" by itself is hardly ever another language's.
  if (language === DEFAULT_LANGUAGE || also.includes(DEFAULT_LANGUAGE) || /\bI\b/.test(text)) return true;
  // As written: expanded, a German "im" would become "I am".
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  if (words.some((word, n) => word === 'i' && isSaidOfI(words[n + 1])) || hasPhrase(words)) return true;
  const theirs = wordsOfLanguage(text, language);
  return theirs.size < SURE_WORDS && words.some((word) => !theirs.has(word) && valenceOf(word) !== 0);
}

function isSaidOfI(next = ''): boolean {
  return AFTER_I.has(next) || isKnownVerb(next);
}

function hasPhrase(words: readonly string[]): boolean {
  return phrasesIn(words).some(
    ({ cue, phrase, at }) => cue && phrase.length > 1 && placesOf(phrase, words, at, NONE_TAKEN),
  );
}

const NONE_TAKEN: ReadonlySet<number> = new Set();
