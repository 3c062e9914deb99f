export { embedLexically, LEXICAL_SPACE } from './embed-lexically.js';
export { embedFormerly, FORMER_LEXICAL_SPACE } from './former-embedding.js';
export { readWords } from './lexical-words.js';
export { toUnitLength } from './unit-length.js';
