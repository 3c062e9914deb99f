import {
  DEFAULT_LANGUAGE,
  detectLanguage,
  foldAccents,
  foldLetters,
  isStopWord,
  isWrittenInLatin,
  knownLanguages,
  languageOfRun,
  languageOfScript,
  MAX_WORD_CHARACTERS,
  pairsOf,
  segmentWords,
  stemWord,
  wordRuns,
  type Language,
  type WordRun,
} from '@kith/reading';
import { stemmer } from 'stemmer';
import { IRREGULAR_WORDS } from './irregular-words.js';
import { RecentValues } from './recent-values.js';

/** Bounds of the texts that are held: a minute, and some 3,000 lines, 2 MB with their results. */
const RECENT = { holdMs: 60_000, maxSize: 300_000, sizeOf: (text: string) => text.length };

/** Characters of a text that are read: a row, a piece of a document and a message are shorter. */
const MAX_COMPARED = 4_000;

/** Folds a text: to lower case, one width, no ligatures and no Latin accents. `Ｃafé` is `cafe`. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase();
}

/** Lists the words of a text, folded, in order; in unspaced scripts, overlapping pairs of characters. */
export function wordsOf(text: string): string[] {
  return wordRuns(foldText(text.slice(0, MAX_COMPARED))).flatMap(({ word, isUnspaced }) =>
    isUnspaced ? pairsOf(word) : [word],
  );
}

/**
 * Gives the terms that BM25 counts: words without stop words, stemmed in the language of the text. Where nothing shows
 * its language it is read as English.
 */
export function analyseText(text: string): readonly string[] {
  return analyseIn(text, languageOf(text));
}

/** Tells the language a text is analysed in: where nothing shows it, the usual one. */
export const languageOf = holdingRecent(
  (text, usual) => detectLanguage(text.slice(0, MAX_COMPARED), usual).language,
);

/** Gives the terms of a text in a language that is known. Words in another script are in that script's language. */
export const analyseIn = holdingRecent((text, language): readonly string[] =>
  runsOf(text, language).flatMap((run) => termsOf(run, language)),
);

/** Caches results for recent texts, for each language by itself. */
function holdingRecent<Made>(
  make: (text: string, language: Language) => Made,
): (text: string, language?: Language) => Made {
  const recent = new Map<Language, RecentValues<Made>>();
  return (text, language = DEFAULT_LANGUAGE) => {
    const known = recent.get(language) ?? new RecentValues<Made>(RECENT);
    recent.set(language, known);
    return known.get(text) ?? known.put(text, make(text, language));
  };
}

/**
 * Gives the terms that a question is searched by: in its own language, then in others that memories may have been taken
 * for. A question in English from somebody who talks English has only its own.
 * @param usual the language that the asker mostly uses
 * @param isOfOwner true for a search by whom the memories are of, which finds a word as it was said: a single one shows no
 * language, so that it is looked for in each
 */
export function analyseQuestion(
  text: string,
  usual: Language = DEFAULT_LANGUAGE,
  isOfOwner = false,
): string[] {
  const { language, also } = detectLanguage(text.slice(0, MAX_COMPARED), usual);
  const likely = language === DEFAULT_LANGUAGE ? [usual] : [usual, ...also, DEFAULT_LANGUAGE];
  const others = isOfOwner ? knownLanguages() : likely;
  const runs = runsOf(text, language);
  const found = runs.filter((run) => termsOf(run, language).length > 0);
  // A word that is in every other sentence of one language may tell something in another: German "war", English "war".
  const telling = found.length === 0 && isOfOwner ? runs : found;
  const terms = telling.flatMap((run) => termsOf(run, language));
  const spaced = telling.filter(({ isUnspaced }) => !isUnspaced);
  const more = new Set(
    others
      .filter((other) => other !== language)
      .flatMap((other) => spaced.flatMap((run) => termsOf(run, other))),
  );
  return [...terms, ...[...more].filter((term) => !terms.includes(term))];
}

/** Tells whether two texts have a word in common, in the language of either. */
export function sharesWord(a: string, b: string): boolean {
  return [...new Set([languageOf(a), languageOf(b)])].some((language) => {
    const words = new Set(analyseIn(a, language));
    return analyseIn(b, language).some((word) => words.has(word));
  });
}

function runsOf(text: string, language: Language): WordRun[] {
  // One character may become eighteen.
  const plain = text.slice(0, MAX_COMPARED).normalize('NFKC').slice(0, MAX_COMPARED);
  // Only Turkish has a letter for "I" that is none for "i".
  return wordRuns(language === 'tr' ? plain.toLocaleLowerCase('tr') : plain.toLowerCase());
}

/** Gives the terms of one run: none for a stop word, several where words are written together. */
function termsOf({ word, isUnspaced }: WordRun, language: Language): string[] {
  if (isUnspaced) return segmentWords(word, languageOfRun(word, language)).map(foldAccents);
  const own = languageOfWord(word, language);
  if (own !== DEFAULT_LANGUAGE) {
    const isTelling = !isStopWord(word, own) && !isLoneLetter(word);
    return isTelling ? [foldLetters(stemWord(word, own)).slice(0, MAX_WORD_CHARACTERS)] : [];
  }
  // Negations are stop words, too: ranking does not need them, and merging compares whole words.
  const folded = foldAccents(word);
  if (isStopWord(folded, own) || isLoneLetter(folded)) return [];
  return [/^[a-z]+$/.test(folded) ? stemmer(IRREGULAR_WORDS.get(folded) ?? folded) : folded];
}

/** Tells a word's language: that of its script; a Latin word in a line of another script is English. */
function languageOfWord(word: string, line: Language): Language {
  return languageOfScript(word) ?? (isWrittenInLatin(line) ? line : DEFAULT_LANGUAGE);
}

function isLoneLetter(word: string): boolean {
  return /^[a-z]$/.test(word);
}
