export * from './character.js';
export * from './persona.js';
export { pngWithoutPixels } from './png/card-in-png.js';
export { isPng } from './png/png-chunks.js';
export * from './read-character.js';
export * from './read-lorebook.js';
export { problemsWith, readPersona } from './read-persona.js';
export * from './write-character.js';
