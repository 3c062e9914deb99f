import { AppError, findExcess, oneLine, storable } from '@kith/contracts';

/** The longest character file as JSON, in bytes; cards with long lorebooks have a tenth of it. */
export const MAX_JSON_BYTES = 4_000_000;

/**
 * Reads JSON from outside, with bounds on size, depth and number of values that are checked before any value is built.
 * @throws AppError `invalid_request`
 */
export function readJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refused('is neither a PNG nor JSON in UTF-8', cause);
  }
  // After its encoding: the size of a picture says nothing.
  if (bytes.length > MAX_JSON_BYTES)
    throw refused(`has ${bytes.length} bytes of JSON; the limit is ${MAX_JSON_BYTES}`);
  const excess = findExcess(bytes);
  if (excess !== null) throw refused(excess);
  try {
    return storable(JSON.parse(text));
  } catch (cause) {
    throw refused(`is not JSON: ${jsonTrouble(cause)}`, cause);
  }
}

/** Characters of what the parser says: it quotes the place. */
const MAX_TROUBLE = 200;

/** Words on one line why a text is not JSON. The parser quotes the text, with its line ends. */
export function jsonTrouble(error: unknown): string {
  return error instanceof Error ? oneLine(error.message).slice(0, MAX_TROUBLE) : 'unreadable';
}

/** The error of a file that can't be read. */
export function refused(what: string, cause?: unknown): AppError {
  return new AppError('invalid_request', `the file ${what}`, { field: 'file' }, { cause });
}
