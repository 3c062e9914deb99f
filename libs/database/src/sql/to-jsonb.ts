import { storable } from '@kith/contracts';

/** Escapes with which JSON spells NUL and half a surrogate pair. */
const MAY_HOLD_UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** A value as a parameter for `jsonb`, which one statement reads as rows however many there are. */
export function toJsonb(value: unknown): string {
  const json = JSON.stringify(value);
  // Replacing in each text and name takes several times as long as writing them all, and hardly any needs it.
  if (!MAY_HOLD_UNSTORABLE.test(json)) return json;
  return JSON.stringify(storable(JSON.parse(json) as unknown));
}
