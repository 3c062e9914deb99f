import { constants, inflateSync } from 'node:zlib';
import { beyond, LIMITS } from './document-limits.js';

const STREAM = Buffer.from('stream');
const [CARRIAGE_RETURN, LINE_FEED] = Buffer.from('\r\n');
/** Levels of compressed data within compressed data that are inflated: an honest file has one. */
const MAX_LEVELS = 3;

/**
 * Checks what a reader of a PDF would have to hold: inflates every compressed stream, one by one.
 * @throws AppError `invalid_request` where they are larger together than a document may be
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

/** Computes the size of all levels together: 0 for data that is not compressed, more than `most` for data beyond it. */
function inflatedSize(data: Buffer, most: number, level = 1): number {
  const inflated = inflate(data, most);
  if (inflated === 'too large') return most + 1;
  if (inflated.length === 0 || level === MAX_LEVELS) return inflated.length;
  return inflated.length + inflatedSize(inflated, most - inflated.length, level + 1);
}

function inflate(data: Buffer, most: number): Buffer | 'too large' {
  try {
    // Data may follow what is compressed, or its end be missing.
    return inflateSync(data, { maxOutputLength: Math.max(most, 1), finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : Buffer.alloc(0);
  }
}
