import { CharacterFormat, LoreInput } from '@kith/contracts';
import type { Character } from '../character.js';
import type { Json } from '../json-values.js';
import { zoo } from './character-zoo.js';
import { Persona } from '../persona.js';
import { readCharacter, type ReadCharacter } from '../read-character.js';
import { writeCharacter } from '../write-character.js';

export const valid = zoo.filter(({ is }) => typeof is === 'string');
export const broken = zoo.filter(({ is }) => is instanceof RegExp);
export const bytesOf = (name: string): Uint8Array => zoo.find((one) => one.name === name)!.bytes;
export const read = (name: string): ReadCharacter => readCharacter(bytesOf(name));
/** Calls a function once for each file: the largest of the zoo take a second to read. */
function onceForEach<T>(make: (bytes: Uint8Array) => T): (bytes: Uint8Array) => T {
  const made = new Map<Uint8Array, T>();
  return (bytes) => {
    const one = made.get(bytes) ?? make(bytes);
    made.set(bytes, one);
    return one;
  };
}
export const readOnce = onceForEach(readCharacter);
export const storedOnce = onceForEach((bytes) => stored(readOnce(bytes)));
export const documentOf = (bytes: Uint8Array): Json => JSON.parse(Buffer.from(bytes).toString()) as Json;
/** The file as a program would have it. */
export const fileOf = (character: Character, format: CharacterFormat): Uint8Array =>
  Buffer.from(JSON.stringify(writeCharacter(character, format)));
export const written = (character: Character, format: CharacterFormat): Json =>
  documentOf(fileOf(character, format));
export const characterOf = ({ persona, lore }: Character): Character => ({ persona, lore });
/** Lore in the order in which Postgres gives it back. */
export const inOrder = (lore: readonly LoreInput[]): LoreInput[] =>
  lore.toSorted((a, b) => a.insertionOrder - b.insertionOrder || (a.name < b.name ? -1 : 1));
/** A character as Postgres gives it back: `jsonb` keeps no order. */
export const stored = ({ persona, lore }: Character): Character => ({
  persona: Persona.parse(JSON.parse(JSON.stringify(reversed(persona)))),
  lore: inOrder(lore.map((entry) => LoreInput.parse(entry))),
});
/** A card says for which generation of programs it was written. */
export const withoutGeneration = (extensions: Json = {}): Json => ({
  ...extensions,
  ...(extensions['tavern'] !== undefined && {
    tavern: { ...(extensions['tavern'] as Json), spec: '', spec_version: '' },
  }),
});
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, part]) => [name, reversed(part)]),
  );
}
