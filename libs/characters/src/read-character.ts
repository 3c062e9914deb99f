import { AppError, explainFields, LoreInput } from '@kith/contracts';
import { z } from 'zod';
import { emptyReport, type Character, type CharacterReport } from './character.js';
import { isObject, objectOf, type Json } from './json-values.js';
import { fitDocument } from './fit-document.js';
import { eliza } from './formats/eliza.js';
import { type FormatFamily, takeOwn } from './formats/format.js';
import { letta } from './formats/letta.js';
import { tavern } from './formats/tavern.js';
import { leaveOutSecrets } from './leave-out-secrets.js';
import { COSTLY, withOwnFields } from './own-fields.js';
import { Persona } from './persona.js';
import { readLorebook } from './read-lorebook.js';
import { takeLore } from './read-persona.js';
import { cardInPng, isPng } from './png/card-in-png.js';
import { readJson, refused } from './read-json.js';

export interface ReadCharacter extends Character {
  readonly report: CharacterReport;
}

/** Formats of other programs; the last asks least of a document. */
export const FORMATS: readonly FormatFamily[] = [tavern, letta, eliza];

/**
 * Reads a character's file: a Tavern card (V1 to V3, as JSON or in a PNG), a character of ElizaOS, an agent file of
 * Letta, or a persona of Kith. What has no place in a persona is kept in its `extensions`. Pure.
 * @throws AppError `invalid_request` that says what is wrong with the file
 */
export function readCharacter(bytes: Uint8Array): ReadCharacter {
  const document = readDocument(bytes);
  if (!isObject(document)) throw refused('holds no JSON object');
  const report = emptyReport('kith');
  if (isPng(bytes)) report.dropped.push({ field: 'picture', note: 'give it again at an export: --png' });
  const clean = leaveOutSecrets(document, report);
  if ('traits' in clean && 'moodHalfLifeHours' in clean) return readOwn(clean, report);
  for (const format of FORMATS) {
    const generation = format.recognise(clean);
    if (generation !== null) return readForeign(format, clean, { ...report, format: generation });
  }
  if (readLorebook(clean)) throw refused('is a lorebook: kith lore import takes it');
  throw refused('is not a character: give a Tavern card, an ElizaOS character, a Letta agent or a persona');
}

/** Reads the JSON of a file, or of the card in a PNG. @throws AppError `invalid_request` */
export function readDocument(bytes: Uint8Array): unknown {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    throw refused('is a zip (CHARX): unpack it and give its card.json');
  return readJson(isPng(bytes) ? cardInPng(bytes) : bytes);
}

function readForeign(format: FormatFamily, whole: Json, begun: CharacterReport): ReadCharacter {
  const { document, own } = takeOwn(format, format.normalise(whole));
  const said = format.read(document, begun);
  const merged = own === null ? { ...said, ownNames: [] as string[] } : withOwnFields(said, own);
  const isOwn = (field: string): boolean => merged?.ownNames.includes(field) ?? false;
  const report = { ...begun, assumed: begun.assumed.filter(({ field }) => !isOwn(field)) };
  if (own !== null)
    (merged ? report.understood : report.dropped).push({
      field: 'kith',
      note: merged ? 'what Kith wrote into it at an export' : 'is not as Kith writes it',
    });
  if (COSTLY in objectOf(objectOf(own)['fields']) && !isOwn(COSTLY))
    report.dropped.push({ field: COSTLY, note: 'it costs what replies cost: set it in the persona' });
  const { persona, lore } = merged ?? said;
  reportNights(persona, report);
  const fitted = fitDocument(document, report);
  const all = { ...persona, extensions: { ...persona.extensions, ...(fitted && { [format.key]: fitted }) } };
  const parsed = Persona.safeParse(all);
  if (parsed.success) return { persona: parsed.data, lore, report };
  report.dropped.push({ field: 'kith.extensions', note: 'with them the document is too long to be kept' });
  return {
    persona: Persona.parse({ ...persona, extensions: fitted ? { [format.key]: fitted } : {} }),
    lore,
    report,
  };
}

/** A persona file; lore that an export put beside it comes out of its `extensions`. */
function readOwn(document: Json, report: CharacterReport): ReadCharacter {
  const { persona: own, lore: held } = takeLore(document);
  const persona = Persona.safeParse(own);
  if (!persona.success) {
    const errors = explainFields(persona.error, 'whole file');
    const detail = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
    throw new AppError('invalid_request', `the persona is not valid: ${detail}`, { errors });
  }
  const lore = z.array(LoreInput).safeParse(held ?? []);
  if (!lore.success) throw refused('has lore in its extensions that is not valid');
  report.understood.push({ field: 'whole file', note: 'a persona of Kith' });
  reportNights(persona.data, report);
  return { persona: persona.data, lore: lore.data, report };
}

function reportNights(persona: Persona, report: CharacterReport): void {
  const people = persona[COSTLY]?.peoplePerNight;
  if (people === undefined) return;
  const note = `it thinks of ${people} people a night, each at the price of a reply`;
  report.understood.push({ field: COSTLY, note });
}
