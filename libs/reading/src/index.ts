export { isNegated, isNegation } from './negation.js';
export { textForRules, trimEndOf } from './plain-text.js';
export { readClauses, readWords, type Clause, type Utterance } from './read-clauses.js';
export { ReaderEnded, ReadingThread } from './reading-thread.js';
