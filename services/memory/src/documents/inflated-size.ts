import { constants, inflateSync } from 'node:zlib';
import { beyond, LIMITS } from './document-limits.js';

const STREAM = Buffer.from('stream');
/** Codes of ASCII. */
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;
/** Compressed data within compressed data: a file that means well has one level. */
const MAX_LEVELS = 3;

/**
 * Inflates every compressed stream of a PDF and lets go of it at once, to know what a reader would have to hold.
 * @throws AppError `invalid_request` when all of it together is more than a document may come to
 */
export function checkInflatedSize(pdf: Uint8Array): void {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  let left = LIMITS.inflatedMb * 1_000_000;
  for (let at = bytes.indexOf(STREAM); at !== -1; at = bytes.indexOf(STREAM, at + STREAM.length)) {
    left -= inflatedSize(bytes.subarray(startOfData(bytes, at + STREAM.length)), left);
    if (left < 0) throw beyond('inflatedMb');
  }
}

function startOfData(bytes: Buffer, at: number): number {
  if (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) return at + 2;
  return bytes[at] === LINE_FEED || bytes[at] === CARRIAGE_RETURN ? at + 1 : at;
}

/** The size of all levels together; beyond `most` for what goes beyond, 0 for what is not compressed. */
function inflatedSize(data: Buffer, most: number, level = 1): number {
  const inflated = inflate(data, most);
  if (inflated === 'too large') return most + 1;
  if (inflated.length === 0 || level === MAX_LEVELS) return inflated.length;
  return inflated.length + inflatedSize(inflated, most - inflated.length, level + 1);
}

function inflate(data: Buffer, most: number): Buffer | 'too large' {
  try {
    // What follows the compressed data, or is missing at its end, does not matter.
    return inflateSync(data, { maxOutputLength: Math.max(most, 1), finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : Buffer.alloc(0);
  }
}
