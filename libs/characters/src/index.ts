export * from './character.js';
export * from './persona.js';
export * from './read-character.js';
export * from './read-lorebook.js';
export * from './write-character.js';
