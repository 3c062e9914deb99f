export { eventually } from './eventually.js';
export { freshStores, type FreshStores } from './stores.js';
