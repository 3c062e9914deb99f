import { AppError, type CharacterFormat } from '@kith/contracts';
import { emptyReport, type Character } from './character.js';
import { isObject, type Json } from './json-values.js';
import { wholeCharacter } from './draft-character.js';
import { asElizaOne, eliza } from './formats/eliza.js';
import type { FormatFamily } from './formats/format.js';
import { letta } from './formats/letta.js';
import { asGeneration, tavern } from './formats/tavern.js';
import { leaveOutSecrets } from './leave-out-secrets.js';
import { withoutNote } from './lore-of-persona.js';
import { differences, FIELDS, ownFields } from './own-fields.js';
import { pngWithCards, isPng } from './png/card-in-png.js';

/**
 * Writes a character's file. A document that came from the same program is written again, changed only where the
 * character was. What the program has no field for goes under a key of Kith's own. A persona that was edited may hold
 * secrets: none goes out.
 */
export function writeCharacter(character: Character, format: CharacterFormat): Json {
  return leaveOutSecrets(documentOf(withoutNote(character), format), emptyReport(format));
}

function documentOf(character: Character, format: CharacterFormat): Json {
  if (format === 'eliza') return asElizaOne(write(eliza, character));
  if (format === 'letta') return write(letta, character);
  if (format === 'kith') {
    const { persona, lore } = character;
    return lore.length === 0 ? persona : { ...persona, extensions: { ...persona.extensions, lore } };
  }
  return asGeneration(write(tavern, character), format === 'tavern-v2' ? 2 : 3);
}

/**
 * Puts Tavern cards into a picture, which stays as it is otherwise. Readers of V3 look for that card, older ones for
 * V2 alone.
 * @throws AppError `invalid_request` where the picture is not a PNG
 */
export function pictureWithCards(picture: Uint8Array, cards: { v2: Json; v3?: Json }): Uint8Array {
  if (!isPng(picture)) throw new AppError('invalid_request', 'the picture is not a PNG');
  const ccv3 = cards.v3 ? { ccv3: JSON.stringify(cards.v3) } : {};
  return pngWithCards(picture, { chara: JSON.stringify(cards.v2), ...ccv3 });
}

function write(format: FormatFamily, character: Character): Json {
  const { [format.key]: kept, ...others } = character.persona.extensions ?? {};
  const readBack = (document: Json): Character => format.read(document, emptyReport(format.key));
  const isKept = isObject(kept);
  const base = isKept ? kept : format.blank();
  const whole = wholeCharacter(character);
  const changed = isKept ? differences(whole, wholeCharacter(readBack(base))) : [...FIELDS, 'lore'];
  const written = changed.length > 0 ? format.change(base, whole, new Set(changed)) : base;
  const own = ownFields(character, readBack(written), others);
  return own ? format.withHolder(written, { ...format.holderOf(written), kith: own }) : written;
}
