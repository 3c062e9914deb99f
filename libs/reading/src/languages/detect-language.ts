import { foldAccents, languages, type Language } from './languages.js';

/** Language of a text, as far as it shows. */
export interface DetectedLanguage {
  language: Language;
  /** True where something shows it; otherwise it is the usual one. */
  isSure: boolean;
  /** Other languages that it may as well be, the likeliest first. */
  also: readonly Language[];
}

/** Language of a text, and of its writer, where nothing shows another. */
export const DEFAULT_LANGUAGE: Language = 'en';

/** Characters that are looked at: more of them tell nothing new. */
const MAX_READ = 400;
/** Worth of a word without its accents, which may be a name: "Tim", Czech "tím". One as it is written is worth 1. */
const PLAIN_WORTH = 0.5;
/** Worth of a letter that may be of a name, of a word of one letter, such as "a" or "e", and of an ending. */
const [LETTER_WORTH, LONE_WORTH, ENDING_WORTH] = [0.7, 0.4, 0.3];
/** Letters of a word from which its ending counts. */
const LONG_WORD = 6;
/** Lead of the usual language: single words of another may be borrowed, or names. */
const USUAL_AHEAD = 0.5;
/** Score from which a language is sure: a word that it alone has, or several that others have, too. */
const SURE = 0.6;
/** Words among which one of the usual language is to be expected: where none is, half of the lead and score is enough. */
const MANY_WORDS = 4;
/** Share of the best score from which another language is nearly as likely, and how many such are named. */
const [CLOSE_SHARE, MAX_ALSO] = [0.6, 2];

/** Scripts, and letters, of one language or mostly one. */
const SCRIPTS: readonly [RegExp, Language][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Thai}/u, 'th'],
  [/[іїєґ]/iu, 'uk'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Arabic}/u, 'ar'],
];
const LINK = /https?:\/\/\S+/gu;
const LATIN_WORDS = /\p{Script=Latin}+/gu;
const OTHER_LETTERS = /(?!\p{Script=Latin})\p{L}/gu;
/** Letters that a word of another script has at least, to compare them with Latin words. */
const LETTERS_PER_WORD = 2;

/** Tells by its script which language a word is in; null for Latin letters, which many share. */
export function languageOfScript(word: string): Language | null {
  // Nearly all words are below the first script that tells.
  if (!/[\u0370-\uffff]/.test(word)) return null;
  return SCRIPTS.find(([script]) => script.test(word))?.[1] ?? null;
}

const NOT_LATIN: ReadonlySet<Language> = new Set(SCRIPTS.map(([, language]) => language));

/** Tells whether a language is written with Latin letters. */
export function isWrittenInLatin(language: Language): boolean {
  return !NOT_LATIN.has(language);
}

/**
 * Tells the language of a line: by its script, and among those with Latin letters by its commonest words, then letters
 * and endings. Where they say nothing it is the usual one. In some microseconds, whatever the text's length. Pure.
 * @param usual the language that its speaker mostly uses
 */
export function detectLanguage(text: string, usual: Language = DEFAULT_LANGUAGE): DetectedLanguage {
  const read = text.slice(0, MAX_READ);
  const script = languageOfScript(read);
  if (script !== null) {
    const latin = read.match(LATIN_WORDS)?.length ?? 0;
    const isMostlyOther = (read.match(OTHER_LETTERS)?.length ?? 0) >= LETTERS_PER_WORD * latin;
    if (isMostlyOther) return { language: script, isSure: true, also: [] };
  }
  return detectLatin(read, usual);
}

/** Gives the words of a text that are among the commonest of a language with Latin letters. Pure. */
export function wordsOfLanguage(text: string, language: Language): ReadonlySet<string> {
  const { words } = evidence();
  return new Set(wordsIn(text.slice(0, MAX_READ)).filter((word) => words.get(word)?.includes(language)));
}

function wordsIn(text: string): string[] {
  const read = text.replaceAll(LINK, ' ').normalize('NFKC').toLowerCase();
  return read.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function detectLatin(text: string, usual: Language): DetectedLanguage {
  const { shown, hinted, words } = scoresOf(text);
  const scale = words >= MANY_WORDS && !shown.has(usual) ? 0.5 : 1;
  const ranked = [...new Set([...shown.keys(), ...hinted.keys(), usual])]
    .map((language) => {
      const lead = language === usual ? USUAL_AHEAD * scale : 0;
      return { language, score: (shown.get(language) ?? 0) + (hinted.get(language) ?? 0) + lead };
    })
    .sort((a, b) => b.score - a.score || (a.language < b.language ? -1 : 1));
  const [{ language: best } = { language: usual }] = ranked;
  const isSure = (shown.get(best) ?? 0) >= SURE * scale;
  const language = isSure ? best : usual;
  return { language, isSure, also: closeTo(ranked, language) };
}

function closeTo(ranked: readonly { language: Language; score: number }[], chosen: Language): Language[] {
  const [{ score: best } = { score: 0 }] = ranked;
  return ranked
    .filter(({ language, score }) => language !== chosen && score >= CLOSE_SHARE * best)
    .slice(0, MAX_ALSO)
    .map(({ language }) => language);
}

/** Adds up the evidence for each language: what words and letters show, and what endings hint at. */
function scoresOf(text: string): Record<'shown' | 'hinted', Map<Language, number>> & { words: number } {
  const evident = evidence();
  const [shown, hinted] = [new Map<Language, number>(), new Map<Language, number>()];
  const add = (to: Map<Language, number>, of: readonly Language[] = [], worth: number) => {
    for (const language of of) to.set(language, (to.get(language) ?? 0) + worth / of.length);
  };
  const words = wordsIn(text);
  for (const word of words) {
    add(shown, evident.words.get(word), word.length === 1 ? LONE_WORTH : 1);
    if (!evident.words.has(word)) add(shown, evident.plain.get(word), PLAIN_WORTH);
    if (/[\u0080-\uffff]/.test(word))
      for (const letter of new Set(word)) add(shown, evident.letters.get(letter), LETTER_WORTH);
    if (word.length < LONG_WORD) continue;
    for (const length of ENDING_LENGTHS) add(hinted, evident.endings.get(word.slice(-length)), ENDING_WORTH);
  }
  return { shown, hinted, words: words.length };
}

const ENDING_LENGTHS = [2, 3, 4, 5, 6];

type Evidence = Record<'words' | 'plain' | 'letters' | 'endings', ReadonlyMap<string, readonly Language[]>>;
let gathered: Evidence | undefined;

/** Gathers, once a process, which languages each common word, letter and ending speaks for. */
function evidence(): Evidence {
  if (gathered) return gathered;
  const latin = [...languages().values()].filter(({ stopWords }) =>
    [...stopWords].every((word) => languageOfScript(word) === null),
  );
  const byKey = (keysOf: (facts: (typeof latin)[number]) => Iterable<string>) => {
    const map = new Map<string, Language[]>();
    for (const facts of latin)
      for (const key of new Set(keysOf(facts))) map.set(key, [...(map.get(key) ?? []), facts.code]);
    return map;
  };
  gathered = {
    words: byKey(({ asWritten }) => asWritten),
    plain: byKey(({ asWritten }) => [...asWritten].map(foldAccents)),
    letters: byKey(({ letters = '' }) => letters),
    endings: byKey(({ endings = [] }) => endings),
  };
  return gathered;
}
