export {
  DEFAULT_LANGUAGE,
  detectLanguage,
  isWrittenInLatin,
  languageOfScript,
  wordsOfLanguage,
} from './languages/detect-language.js';
export {
  foldAccents,
  foldLetters,
  isStopWord,
  knownLanguages,
  type Language,
} from './languages/languages.js';
export { cutWords, languageOfRun, pairsOf, segmentWords } from './languages/segment-words.js';
export { MAX_WORD_CHARACTERS, wordRuns, type WordRun } from './languages/word-runs.js';
export { stemWord } from './languages/stem-word.js';
export { isNegated, isNegation } from './negation.js';
export { ownWords, sentencesOf } from './own-sentences.js';
export { splitSentences, textForRules, trimEndOf } from './plain-text.js';
export { readWords } from './plain-words.js';
export { QUOTATION, readClauses, type Clause, type Utterance } from './read-clauses.js';
export { ReadingThread } from './reading-thread.js';
export { ReaderEnded } from './rules-thread.js';
export { readAsEnglish } from './languages/read-as-english.js';
export { wordSet } from './word-set.js';
