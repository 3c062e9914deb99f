import { languageOfScript } from './detect-language.js';
import { isStopWord, type Language } from './languages.js';

const segmenters = new Map<Language, Intl.Segmenter>();

/**
 * Words of a run of writing that has no spaces between them, without those that every sentence has, and pairs of its
 * characters beside: what a dictionary cuts in the wrong place is found by these.
 */
export function segmentWords(run: string, language: Language): string[] {
  const characters = [...run];
  const pairs = characters.slice(1).map((character, i) => `${characters[i]}${character}`);
  if (language === 'ko') return pairs.length > 0 ? pairs : characters;
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'word' });
  segmenters.set(language, segmenter);
  const words = Array.from(segmenter.segment(run), ({ segment }) => segment).filter(
    (word) => !isStopWord(word, language),
  );
  const single = new Set(words);
  return [...words, ...pairs.filter((pair) => !single.has(pair) && !isStopWord(pair, language))];
}

/** The language by whose dictionary a run without spaces is cut: Han characters in a Japanese line are Japanese. */
export function languageOfRun(run: string, line: Language): Language {
  const own = languageOfScript(run) ?? line;
  return own === 'zh' && line === 'ja' ? 'ja' : own;
}
