import {
  cutWords,
  DEFAULT_LANGUAGE,
  detectLanguage,
  foldLetters,
  isStopWord,
  languageOfRun,
  stemWord,
  wordRuns,
  type Language,
} from '@kith/reading';

/** Characters of a text that are read: the subject of a reason has 240, a topic 60. */
const MAX_READ = 1_000;
/** Length from which a word is also looked for inside others, as in "Abschlussprüfung": "art" is not in "party". */
const MIN_INSIDE = 5;

/** Invisible characters, such as those that only shape an emoji: a text may have them or not. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u20E3]/gu;

/** A topic in the form that is searched for. */
interface Topic {
  /** The whole topic, where it is only signs or emoji. */
  signs: string | null;
  /** Words without stop words, unless there are no others. */
  words: readonly string[];
  /** Runs of a script without spaces, each with its words. */
  runs: readonly { run: string; parts: readonly string[] }[];
  languages: readonly Language[];
}

/**
 * Makes a function that tells whether a text is about one of the topics: it contains every word of that topic, in any
 * form and order. In doubt it says yes: a message that is not sent does no harm. Pure.
 */
export function topicFinder(topics: readonly string[]): (text: string) => boolean {
  if (topics.length === 0) return () => false;
  // An empty topic would match every text.
  const known = topics.map(readTopic).filter(({ signs }) => signs !== '');
  const theirs = known.flatMap(({ languages }) => languages);
  return (text) => {
    const plain = plainText(text);
    const own = languagesOf(plain);
    const everyLanguage = [...new Set([...own, ...theirs])];
    const forms = new Set(runsOf(plain).spaced.flatMap((word) => formsOf(word, everyLanguage)));
    const folded = foldLetters(plain);
    const hasForm = (form: string) => forms.has(form) || (form.length >= MIN_INSIDE && folded.includes(form));
    return known.some(({ signs, words, runs, languages }) => {
      if (signs !== null) return folded.includes(signs);
      return (
        words.every((word) => formsOf(word, [...own, ...languages]).some(hasForm)) &&
        runs.every(({ run, parts }) => folded.includes(run) || hasEach(folded, parts))
      );
    });
  };
}

function readTopic(topic: string): Topic {
  const plain = plainText(topic);
  const languages = languagesOf(plain);
  const { spaced, unspaced } = runsOf(plain);
  const telling = spaced.filter((word) => !isLoneLetter(word) && !isAlwaysThere(word, languages));
  return {
    signs: spaced.length + unspaced.length === 0 ? foldLetters(plain).trim() : null,
    words: telling.length + unspaced.length > 0 ? telling : spaced,
    runs: unspaced.map((run) => ({ run: foldLetters(run), parts: partsOf(run, languages) })),
    languages,
  };
}

/** Normalizes a text: one form of each letter, lower case, no invisible characters. */
function plainText(text: string): string {
  // One character may become eighteen.
  return text.slice(0, MAX_READ).normalize('NFKC').slice(0, MAX_READ).toLowerCase().replaceAll(INVISIBLE, '');
}

/** Lists the languages that a text may be in. */
function languagesOf(plain: string): Language[] {
  const { language, also } = detectLanguage(plain);
  return [language, ...also];
}

function runsOf(plain: string): { spaced: string[]; unspaced: string[] } {
  // A combining accent alone is no word.
  const runs = wordRuns(plain).filter(({ word }) => /[\p{L}\p{N}]/u.test(word));
  return {
    spaced: runs.filter(({ isUnspaced }) => !isUnspaced).map(({ word }) => word),
    unspaced: runs.filter(({ isUnspaced }) => isUnspaced).map(({ word }) => word),
  };
}

function partsOf(run: string, [line = DEFAULT_LANGUAGE]: readonly Language[]): string[] {
  return cutWords(run, languageOfRun(run, line)).map(foldLetters);
}

function hasEach(text: string, parts: readonly string[]): boolean {
  return parts.length > 0 && parts.every((part) => text.includes(part));
}

/** Lists the forms of a word: itself and its stem in each language, without accents, which many people leave out. */
function formsOf(word: string, languages: readonly Language[]): string[] {
  return [foldLetters(word), ...languages.map((language) => foldLetters(stemWord(word, language)))];
}

function isAlwaysThere(word: string, [line = DEFAULT_LANGUAGE]: readonly Language[]): boolean {
  return isStopWord(word, line);
}

function isLoneLetter(word: string): boolean {
  return /^\p{Script=Latin}$/u.test(word);
}
