// Types of values that the functions below return: callers' declarations name them.
export type { CharacterReport } from './character.js';
export type { Json } from './json-values.js';
export { cameWithLore, keepNote, loreOfPersona, noteLore } from './lore-of-persona.js';
export { Persona, personaSchema } from './persona.js';
export { isPng, pngWithoutPixels } from './png/card-in-png.js';
export { readCharacter, readDocument, type ReadCharacter } from './read-character.js';
export { readLorebook } from './read-lorebook.js';
export { readPersona, takeLore } from './read-persona.js';
export { pictureWithCards, writeCharacter } from './write-character.js';
export { expandMacros } from './texts.js';
