import { isDeepStrictEqual } from 'node:util';
import type { LoreInput } from '@kith/contracts';
import { emptyReport, isObject } from './character.js';
import { isOfDescription } from './draft-character.js';
import type { Persona } from './persona.js';
import { FORMATS } from './read-character.js';

/**
 * Finds the lore that came with a persona, and goes when another takes its place: pieces of its description, and entries
 * of its documents that nobody has changed since. Pure.
 * @param persona undefined where it is not known
 */
export function loreOfPersona<Entry extends LoreInput>(
  held: readonly Entry[],
  persona: Persona | undefined,
): Entry[] {
  const came = FORMATS.flatMap((format) => {
    const kept = persona?.extensions?.[format.key];
    return isObject(kept) ? format.read(kept, emptyReport(format.key)).lore : [];
  });
  const byName = new Map(came.map((entry) => [entry.name, entry]));
  return held.filter((entry) => isOfDescription(entry) || isSame(byName.get(entry.name), entry));
}

/** Compares an entry that came with one that is held, which has more fields. */
function isSame(came: LoreInput | undefined, held: LoreInput): boolean {
  if (!came) return false;
  const fields = Object.keys(came) as (keyof LoreInput)[];
  return fields.every((field) => isDeepStrictEqual(came[field], held[field]));
}
