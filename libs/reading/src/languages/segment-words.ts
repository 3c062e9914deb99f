import { languageOfScript } from './detect-language.js';
import { foldLetters, isStopWord, isTail, isVerbEnd, type Language } from './languages.js';

const segmenters = new Map<Language, Intl.Segmenter>();

/**
 * Cuts a run of writing without spaces into words, less stop words, and adds the pairs of its characters: they find what
 * the dictionary cuts in the wrong place. A word in katakana is added in hiragana, too, but not the pairs of that: they
 * would be endings of verbs.
 */
export function segmentWords(run: string, language: Language): string[] {
  const words = cutWords(run, language);
  const single = new Set(words);
  const pairs = pairsOf(run);
  const tells = (pair: string, i: number) =>
    !isStopWord(pair, language) && !isAcross(pair, pairs[i + 1], language);
  const folded = words.map(foldLetters).filter((word) => !single.has(word) && tellsAlone(word, language));
  const known = new Set([...words, ...folded]);
  const nouns = nounsIn(run, language).filter((noun) => !known.has(noun));
  for (const noun of nouns) single.add(noun);
  return [...words, ...folded, ...nouns, ...pairs.filter((pair, i) => !single.has(pair) && tells(pair, i))];
}

/** Hiragana between particles, or alone in a run. The dictionary cuts てれび to pieces, and takes きた for "came". */
const NOUN =
  /(?<=^|[はをがのにへ])(?![はをがのにへ])[\p{Script=Hiragana}ー]{2,20}?(?=[はをがのにへ])|^[\p{Script=Hiragana}ー]{2,20}$/gu;

/** Lists what stands like a noun in a Japanese run. Nouns such as 北 and テレビ may be written in hiragana, too. */
function nounsIn(run: string, language: Language): string[] {
  if (language !== 'ja') return [];
  return (run.match(NOUN) ?? []).filter((noun) => isVerbEnd(noun, language) || tellsAlone(noun, language));
}

/** Tells whether a word in hiragana is more than a particle or an ending. */
function tellsAlone(word: string, language: Language): boolean {
  return word.length > 1 && !isStopWord(word, language);
}

const HIRAGANA = /^\p{Script=Hiragana}+$/u;

/** Tells whether a pair ends with the beginning of a tail: きま in 行きます. The same characters may be a word, as たこ is. */
function isAcross(pair: string, next: string | undefined, language: Language): boolean {
  return next !== undefined && isTail(next, language) && HIRAGANA.test(pair);
}

/** Cuts a run of writing without spaces into words by a dictionary, less stop words. There is none for Korean. */
export function cutWords(run: string, language: Language): string[] {
  if (language === 'ko') return [];
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'word' });
  segmenters.set(language, segmenter);
  return Array.from(segmenter.segment(run), ({ segment }) => segment).filter(
    (word) => !isStopWord(word, language),
  );
}

/** Lists the overlapping pairs of characters of a run; of a single character, itself. */
export function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`);
}

/** Chooses the language by whose dictionary a run is cut: Han characters in a Japanese line are Japanese. */
export function languageOfRun(run: string, line: Language): Language {
  const own = languageOfScript(run) ?? line;
  return own === 'zh' && line === 'ja' ? 'ja' : own;
}
