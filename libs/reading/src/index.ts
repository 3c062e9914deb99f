export { textForRules, trimEndOf } from './plain-text.js';
