/** Depth of JSON from outside: a character card nests some twelve deep, and what reads it calls itself once a level. */
export const MAX_JSON_DEPTH = 64;
/** Values of JSON from outside, by its commas and brackets: each takes some hundred bytes of memory. */
export const MAX_JSON_VALUES = 200_000;

/**
 * Tells which bound JSON from outside exceeds, before it is parsed: a few compressed kilobytes can become millions of
 * objects. Null where it is within bounds, or is no JSON at all.
 * @param bytes UTF-8
 */
export function findExcess(bytes: Uint8Array): string | null {
  let depth = 0;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const sign = bytes[at];
    if (isInText) {
      if (sign === BACKSLASH) at += 1;
      else if (sign === QUOTE) isInText = false;
    } else if (sign === QUOTE) isInText = true;
    else if (sign === OPEN_OBJECT || sign === OPEN_LIST) {
      values += 1;
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return `is nested more than ${MAX_JSON_DEPTH} deep`;
    } else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) depth -= 1;
    else if (sign === COMMA) values += 1;
    if (values > MAX_JSON_VALUES) return `holds more than ${MAX_JSON_VALUES} values`;
  }
  return null;
}

const [QUOTE, BACKSLASH, COMMA] = codesOf('"\\,');
const [OPEN_OBJECT, OPEN_LIST, CLOSE_OBJECT, CLOSE_LIST] = codesOf('{[}]');

function codesOf(signs: string): number[] {
  return [...signs].map((sign) => sign.charCodeAt(0));
}
