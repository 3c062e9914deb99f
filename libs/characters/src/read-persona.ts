import { explainFields, storable } from '@kith/contracts';
import { isObject, type Json } from './json-values.js';
import { jsonTrouble } from './read-json.js';
import { Persona } from './persona.js';

/** A persona, or everything that is wrong with its file, a line for each field. */
type PersonaReading = { ok: true; persona: Persona } | { ok: false; problems: string[] };

/** Takes the lore out of a persona's document, where an export put it: it is the companion's, and no part of a version. */
export function takeLore<Document>(document: Document): { persona: Document; lore: unknown } {
  const { persona, taken } = takeExtension(document, 'lore');
  return { persona, lore: taken };
}

/** Takes one of its extensions out of a persona's document. */
export function takeExtension<Document>(document: Document, key: string) {
  const extensions = isObject(document) ? document['extensions'] : undefined;
  if (!isObject(extensions) || extensions[key] === undefined) return { persona: document, taken: undefined };
  const { [key]: taken, ...others } = extensions;
  const { extensions: _, ...fields } = document as Json;
  const persona = { ...fields, ...(Object.keys(others).length > 0 && { extensions: others }) };
  return { persona: persona as Document, taken };
}

/**
 * Reads a persona file's text, as some editors write it with a mark of its encoding in front, and without what no database
 * keeps. `file` is the name that problems are reported under.
 */
export function readPersona(file: string, text: string): PersonaReading {
  let json: unknown;
  try {
    json = storable(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    return { ok: false, problems: [`${file}: not JSON: ${jsonTrouble(error)}`] };
  }
  const parsed = Persona.safeParse(json);
  if (parsed.success) return { ok: true, persona: parsed.data };
  const problems = explainFields(parsed.error, 'whole file').map(
    ({ field, message }) => `${file}: ${field}: ${message}`,
  );
  return { ok: false, problems };
}
