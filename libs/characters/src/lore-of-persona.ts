import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { LoreInput } from '@kith/contracts';
import { emptyReport, type Character, type CharacterReport } from './character.js';
import { isObject, textOf, type Json } from './json-values.js';
import { isOfDescription } from './draft-character.js';
import { MAX_EXTENSIONS, type Persona } from './persona.js';
import { FORMATS } from './read-character.js';
import { takeExtension, takeLore } from './read-persona.js';

/** Key, among a persona's extensions, of the hashes of lore that came with it and is in none of its documents. */
const NOTED = 'loreHashes';
/** Mark of a noted hash whose entry was there before the import that told it again: it is in no alphabet of a hash. */
const OWN = '!';
/** 48 bits: of a full book whose every entry was changed, one in 70 million has an entry that is taken for unchanged. */
const HASH_CHARS = 8;
/** Entry of which nothing is said but what has to be. */
const USUAL = LoreInput.parse({ name: 'usual', content: 'usual', constant: true });

/**
 * Finds the lore that came with a persona, and goes when another takes its place: pieces of its description, and entries
 * of its documents, or noted at its import, that nobody has changed since or had written before. Pure.
 * @param persona undefined where it is not known
 */
export function loreOfPersona<Entry extends LoreInput>(held: readonly Entry[], persona: Persona | undefined) {
  const came = new Set(hashesOf(persona));
  return held.filter((entry) => {
    const hash = hashOf(entry);
    return isOfDescription(entry) || (came.has(hash) && !came.has(OWN + hash));
  });
}

/** Tells whether a persona came with lore of its own. */
export function cameWithLore(persona: Persona | undefined): boolean {
  return hashesOf(persona).length > 0;
}

function hashesOf(persona: Persona | undefined): string[] {
  const shown = FORMATS.flatMap((format) => {
    const kept = persona?.extensions?.[format.key];
    return isObject(kept) ? format.read(kept, emptyReport(format.key)).lore : [];
  });
  return [...shown.map(hashOf), ...wordsOf(textOf(persona?.extensions?.[NOTED]))];
}

/**
 * Notes in a persona's extensions what came with it and is in none of its documents: those that are too long lose their
 * lorebook, and a persona of Kith has none. What there is no room for is reported.
 * @param own lore that the companion has, and that came with no persona: a file that tells it again, as one of the
 * companion itself does, does not bring it
 */
export function noteLore(character: Character, report: CharacterReport, own: readonly LoreInput[] = []) {
  const { persona, lore } = withoutNote(character);
  const shown = new Set(loreOfPersona(lore, persona));
  const ownHashes = new Set(own.map(hashOf));
  const isOwn = (entry: LoreInput): boolean => ownHashes.has(hashOf(entry));
  const kept = lore.filter((entry) => shown.has(entry) && isOwn(entry)).map((entry) => OWN + hashOf(entry));
  const brought = lore.filter((entry) => !shown.has(entry) && !isOwn(entry)).map(hashOf);
  const hashes = [...kept, ...brought];
  if (hashes.length === 0) return persona;
  const taken = JSON.stringify({ ...persona.extensions, [NOTED]: '' }).length;
  const noted = cutWords(hashes.join(' '), MAX_EXTENSIONS - taken);
  const left = hashes.length - wordsOf(noted).length;
  if (left > 0) {
    const note = `${left} entries can’t be noted beside such long documents: they stay when another takes its place`;
    report.dropped.push({ field: 'lore', note });
  }
  return { ...persona, ...(noted && { extensions: { ...persona.extensions, [NOTED]: noted } }) };
}

/** Keeps the note on its lore where a companion is edited by a persona without one, as exports are. */
export function keepNote(persona: Json, inForce: unknown): Json {
  const note = takeExtension(inForce, NOTED).taken;
  const { extensions = {} } = persona;
  if (note === undefined || !isObject(extensions) || extensions[NOTED] !== undefined) return persona;
  return { ...persona, extensions: { ...extensions, [NOTED]: note } };
}

/** A character without a note on its lore, and without lore that an edit by an exported file once left in its persona. */
export function withoutNote({ persona, lore }: Character): Character {
  return { persona: takeLore(takeExtension(persona, NOTED).persona).persona, lore };
}

function wordsOf(text: string): string[] {
  return text.split(' ').filter(Boolean);
}

/** Cuts a text after its last word that ends within so many characters. */
function cutWords(text: string, characters: number): string {
  return text.length <= characters
    ? text
    : text.slice(0, Math.max(0, text.lastIndexOf(' ', Math.max(0, characters))));
}

/** Leaves out what is usual, and has a fixed order: a field that a later release adds changes no hash. */
function hashOf(entry: LoreInput): string {
  const fields = Object.keys(USUAL) as (keyof LoreInput)[];
  const said = fields
    .toSorted()
    .filter((name) => !isDeepStrictEqual(entry[name], USUAL[name]))
    .map((name) => [name, entry[name]]);
  return hash('sha256', JSON.stringify(said), 'base64url').slice(0, HASH_CHARS);
}
