import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '@kith/contracts';

/** Encodings that are undone, as a request names them. */
export const ENCODINGS = 'gzip, deflate, br';
const UNPACKERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

export interface Body {
  bytes: Buffer;
  /** True where the page went on, and was cut. */
  isCut: boolean;
}

/** Reads a body up to `maxBytes` after unpacking, and leaves the rest unread. */
export async function readPageBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
  const pieces: Buffer[] = [];
  let left = maxBytes;
  for await (const chunk of unpacked(response) as AsyncIterable<Buffer>) {
    pieces.push(chunk.subarray(0, left));
    left -= chunk.length;
    // Leaving the loop ends the connection.
    if (left < 0) return { bytes: Buffer.concat(pieces), isCut: true };
  }
  return { bytes: Buffer.concat(pieces), isCut: false };
}

/** Undoes one encoding, some kilobytes at a time: a small body that unpacks to a huge one is never held whole. */
function unpacked(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const unpacker = UNPACKERS.get(encoding)?.();
  if (!unpacker) {
    response.destroy();
    throw new AppError('invalid_request', 'the compression of the page is not supported');
  }
  // The loop that reads it throws for a broken body.
  return pipeline(response, unpacker, () => undefined);
}
