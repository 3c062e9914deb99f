import { LoreInput } from '@kith/contracts';
import type { Character, CharacterReport } from '../character.js';
import { isFilled, type Json } from '../json-values.js';
import { splitText } from '../texts.js';

/** One family of files: how its documents are read, changed and told apart. Pure. */
export interface FormatFamily {
  /** Key of its document in a persona's `extensions`. */
  readonly key: 'tavern' | 'eliza' | 'letta';
  /** Recognises a document of this family, and its generation. */
  recognise(document: Json): string | null;
  /** A document in the one form that is kept: older generations become newer ones, with nothing lost. */
  normalise(document: Json): Json;
  /** Reads a document, by its own fields alone. */
  read(kept: Json, report: CharacterReport): Character;
  /** An empty document, for a companion that came from elsewhere. */
  blank(): Json;
  /**
   * Writes the changed fields of a character into a document; what the document can't express stays as it was.
   * @param changed fields of a persona, and `lore`
   */
  change(kept: Json, character: Character, changed: ReadonlySet<string>): Json;
  /** Finds the object of a document that holds, under `kith`, the fields that Kith wrote into it for itself. */
  holderOf(kept: Json): Json;
  withHolder(kept: Json, holder: Json): Json;
}

/** Splits a document from the fields that Kith wrote into it for itself. */
export function takeOwn(format: FormatFamily, kept: Json): { document: Json; own: unknown } {
  const { kith: own, ...others } = format.holderOf(kept);
  return own === undefined
    ? { document: kept, own: null }
    : { document: format.withHolder(kept, others), own };
}

/** Characters of an entry of lore; see `LoreInput`. */
const MAX_LORE_CHARS = 4_000;

/** Makes lore that is always told of a text, in as many entries as its length needs. */
export function constantLore(name: string, text: string, priority: number): LoreInput[] {
  return splitText(text, MAX_LORE_CHARS).map((content, part) =>
    LoreInput.parse({
      name: part > 0 ? `${name}, part ${part + 1}` : name,
      content,
      constant: true,
      priority,
    }),
  );
}

/** Parts notes on fields by whether a document has a text there, which alone is read; the others say so. */
export function byText(document: Json, notes: Readonly<Record<string, string>>) {
  const isText = ([name]: readonly [string, string]): boolean => typeof document[name] === 'string';
  const all = Object.entries(notes);
  return {
    texts: Object.fromEntries(all.filter(isText)),
    others: Object.fromEntries(all.filter((one) => !isText(one)).map(([name]) => [name, 'is not a text'])),
  };
}

/** A report of more lines is read by nobody. */
const MAX_REPORTED = 100;

/** Reports every field that holds something: those that are understood, and the others as kept. */
export function reportFields(
  document: Json,
  prefix: string,
  understood: Readonly<Record<string, string>>,
  report: CharacterReport,
  kept: Readonly<Record<string, string>> = {},
): void {
  for (const [name, value] of Object.entries(document).slice(0, MAX_REPORTED)) {
    if (!isFilled(value) || value === false) continue;
    const field = `${prefix}${name.slice(0, 80)}`;
    const note = Object.hasOwn(understood, name) ? understood[name] : undefined;
    if (note !== undefined) report.understood.push({ field, note });
    else report.kept.push({ field, note: (Object.hasOwn(kept, name) && kept[name]) || 'not in force' });
  }
}
