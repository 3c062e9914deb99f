import { languageOfScript } from './detect-language.js';
import { isStopWord, type Language } from './languages.js';

const segmenters = new Map<Language, Intl.Segmenter>();

/**
 * Cuts a run of writing without spaces into words, less stop words, and adds the pairs of its characters: they find what
 * the dictionary cuts in the wrong place.
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

/** Chooses the language by whose dictionary a run is cut: Han characters in a Japanese line are Japanese. */
export function languageOfRun(run: string, line: Language): Language {
  const own = languageOfScript(run) ?? line;
  return own === 'zh' && line === 'ja' ? 'ja' : own;
}
