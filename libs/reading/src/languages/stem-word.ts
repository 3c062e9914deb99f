import { createRequire } from 'node:module';
import { foldLetters, languages, type Language } from './languages.js';

interface Stemmer {
  stem(word: string): string;
}
interface Snowball {
  newStemmer(algorithm: string): Stemmer;
}

/** Stems that are kept of each language, as words are said again and again: some MB in all. */
const MAX_KNOWN = 20_000;
/** Letters that a word keeps at least when an ending is taken off. */
const MIN_STEM_LENGTH = 3;

const require = createRequire(import.meta.url);
const stemmers = new Map<Language, { stemmer: Stemmer; known: Map<string, string> } | null>();

/** Stems a word, by Snowball or by a list of endings; one of a language that has neither stays as it is. */
export function stemWord(word: string, language: Language): string {
  const held = stemmers.get(language) ?? openStemmer(language);
  if (!held) return word;
  const { stemmer, known } = held;
  const stem = known.get(word) ?? stemmer.stem(language === 'ar' ? spelledOnce(word) : word);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(word, stem);
  return stem;
}

/** Spells an Arabic word in one way, as its stemmer takes the ending ة off where it leaves the same written as ه. */
function spelledOnce(word: string): string {
  return foldLetters(word).replace(/ه$/, 'ة');
}

function openStemmer(language: Language): { stemmer: Stemmer; known: Map<string, string> } | null {
  const facts = languages().get(language);
  // Loaded with the first word that needs it: whoever talks English alone never does.
  const stemmer = facts?.stemmer
    ? (require('snowball-stemmers') as Snowball).newStemmer(facts.stemmer)
    : facts?.suffixes.length
      ? { stem: (word: string) => withoutSuffix(word, facts.suffixes) }
      : null;
  const held = stemmer && { stemmer, known: new Map<string, string>() };
  stemmers.set(language, held);
  return held;
}

function withoutSuffix(word: string, suffixes: readonly string[]): string {
  const suffix = suffixes.find((each) => word.endsWith(each) && word.length - each.length >= MIN_STEM_LENGTH);
  return suffix === undefined ? word : word.slice(0, -suffix.length);
}
