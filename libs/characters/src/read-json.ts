import { AppError, storable } from '@kith/contracts';

/** The longest character file as JSON, in bytes; cards with long lorebooks have a tenth of it. */
export const MAX_JSON_BYTES = 4_000_000;
/** Real files nest a dozen levels deep; what reads them here calls itself once a level. */
const MAX_DEPTH = 64;
/** Commas and brackets: each is a value, which takes some hundred bytes of memory. */
const MAX_VALUES = 200_000;

/**
 * Reads JSON from outside, with bounds on size, depth and number of values that are checked before anything is built.
 * @throws AppError `invalid_request`
 */
export function readJson(bytes: Uint8Array): unknown {
  if (bytes.length > MAX_JSON_BYTES)
    throw refused(`has ${bytes.length} bytes of JSON; ${MAX_JSON_BYTES} are taken`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refused('is neither a PNG nor JSON in UTF-8', cause);
  }
  checkShape(text);
  try {
    return storable(JSON.parse(text));
  } catch (cause) {
    throw refused(
      `is not JSON: ${cause instanceof Error ? cause.message.slice(0, 200) : 'unreadable'}`,
      cause,
    );
  }
}

/** The error of a file that can't be read. */
export function refused(what: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `the file ${what}`, { field: 'file' }, { cause });
}

/** Counts brackets outside of strings. */
function checkShape(text: string): void {
  let depth = 0;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isInText) {
      if (sign === '\\') at++;
      else if (sign === '"') isInText = false;
    } else if (sign === '"') isInText = true;
    else if (sign === '{' || sign === '[') {
      values++;
      if (++depth > MAX_DEPTH) throw refused(`nests deeper than ${MAX_DEPTH} levels`);
    } else if (sign === '}' || sign === ']') depth--;
    else if (sign === ',' && ++values > MAX_VALUES) throw refused(`holds more than ${MAX_VALUES} values`);
  }
}
