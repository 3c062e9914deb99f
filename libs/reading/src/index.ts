export { textForRules, trimEndOf } from './plain-text.js';
export { ReaderEnded, ReadingThread } from './reading-thread.js';
