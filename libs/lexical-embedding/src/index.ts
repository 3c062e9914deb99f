export { embedLexically, LEXICAL_SPACE } from './embed-lexically.js';
export { toUnitLength } from './unit-length.js';
