import { readdirSync, readFileSync } from 'node:fs';

/** A language by its ISO 639-1 code: `de`. */
export type Language = string;

/** Facts about a language, one file for each in `data/languages`. */
interface LanguageFile {
  /** Words that are in every other sentence, so that they tell nothing of what it is about. */
  stopWords: string[];
  /** Other common words, by which it is told from similar languages. */
  telling?: string[];
  /** Letters that few languages have. */
  letters?: string;
  /** Endings of long words by which it is guessed. */
  endings?: string[];
  /** Beginnings of what is written as one with the word before it, where nothing shows that the word ends. */
  tails?: string[];
  /** Stop words, for they mostly end verbs, that are nouns between particles: きた is "came", and 北. */
  verbEnds?: string[];
  /** Name of its stemmer in Snowball. */
  stemmer?: string;
  /** Endings that are taken off where Snowball has no stemmer. */
  suffixes?: string[];
}

export interface LanguageFacts extends Omit<
  LanguageFile,
  'stopWords' | 'telling' | 'tails' | 'suffixes' | 'verbEnds'
> {
  code: Language;
  /** Stop words with their accents and without. */
  stopWords: ReadonlySet<string>;
  /** Stop words and telling ones, with their accents. */
  asWritten: ReadonlySet<string>;
  /** Beginnings of what is written as one with the word before it. */
  tails: ReadonlySet<string>;
  verbEnds: ReadonlySet<string>;
  /** Endings that are taken off, the longest first. */
  suffixes: readonly string[];
}

const FOLDER = new URL('../../data/languages/', import.meta.url);

let known: ReadonlyMap<Language, LanguageFacts> | undefined;

/** Reads all languages there is a file for, with the first text that needs them: some 30 KB, once a process. */
export function languages(): ReadonlyMap<Language, LanguageFacts> {
  known ??= new Map(
    readdirSync(FOLDER)
      .toSorted()
      .map((name) => {
        const code = name.replace('.json', '');
        const file = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as LanguageFile;
        const { stopWords, telling = [], tails = [], suffixes = [], verbEnds = [] } = file;
        return [
          code,
          {
            ...file,
            code,
            stopWords: withPlain(wordsIn([...stopWords, ...verbEnds])),
            verbEnds: new Set(wordsIn(verbEnds)),
            asWritten: new Set(wordsIn([...stopWords, ...telling])),
            tails: new Set(wordsIn(tails)),
            suffixes: suffixes.toSorted((a, b) => b.length - a.length),
          },
        ];
      }),
  );
  return known;
}

/** Lists the languages there is a file for. */
export function knownLanguages(): Language[] {
  return [...languages().keys()];
}

/** Tells whether a word says nothing by itself, as every other sentence of the language has it. */
export function isStopWord(word: string, language: Language): boolean {
  return languages().get(language)?.stopWords.has(word) ?? false;
}

/** Tells whether characters begin what is written as one with the word before it, as まし in 食べました. */
export function isTail(pair: string, language: Language): boolean {
  return languages().get(language)?.tails.has(pair) ?? false;
}

/** Tells whether a stop word is one only where it ends a verb. */
export function isVerbEnd(word: string, language: Language): boolean {
  return languages().get(language)?.verbEnds.has(word) ?? false;
}

/** Removes the accents of Latin letters, and writes out those that stand for two: `straße` is `strasse`. */
export function foldAccents(text: string): string {
  // Most words, which have nothing to fold.
  if (/^\p{ASCII}*$/u.test(text)) return text;
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .replaceAll(/[ßıøłđæœ]/g, (letter) => PLAIN[letter] ?? letter);
}

/** Letters that Unicode does not take apart. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', ı: 'i', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe' };

/** Signs that are written in an Arabic word or not: vowel signs, hamza on a letter, and lengthening. */
const ARABIC_MARKS = /\u0640|[\u064b-\u0655\u0670]/gu;
/** Arabic letters that are written for one another. */
const ARABIC: Readonly<Record<string, string>> = { ة: 'ه', ى: 'ي', ی: 'ي', ٱ: 'ا', ک: 'ك' };
/** Code points between a letter of katakana and the same of hiragana. */
const KANA_APART = 0x60;

/**
 * Folds accents, and what else is written in several ways: Arabic letters and marks, and katakana, which becomes hiragana.
 * @param text in the normal form NFKC
 */
export function foldLetters(text: string): string {
  if (!/[\u0600-\u06ff\u30a1-\u30fe]/.test(text)) return foldAccents(text);
  return foldAccents(text.normalize('NFKD').replaceAll(ARABIC_MARKS, ''))
    .replaceAll(/[ةىیٱک]/g, (letter) => ARABIC[letter] ?? letter)
    .replaceAll(/[ァ-ヶヽヾ]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) - KANA_APART));
}

function wordsIn(lines: readonly string[]): string[] {
  return lines.join(' ').split(' ').filter(Boolean);
}

function withPlain(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.flatMap((word) => [word, foldAccents(word)]));
}
