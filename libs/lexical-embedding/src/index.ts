export { embedLexically, LEXICAL_SPACE } from './embed-lexically.js';
export { readWords } from './lexical-words.js';
export { toUnitLength } from './unit-length.js';
