import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { AppError } from '@kith/contracts';

/** Encodings that are undone, as a request names them. */
export const ENCODINGS = 'gzip, deflate, br';

export interface Body {
  bytes: Buffer;
  /** There was more. */
  isCut: boolean;
}

/** Reads a body up to so many bytes as they are unpacked, and leaves the rest unread. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body> {
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
  const unpacker = unpackerOf(encoding);
  if (encoding === 'identity' || encoding === '') return response;
  if (!unpacker) throw new AppError('invalid_request', 'the page is packed in a way that is not read');
  // A broken body is told by the loop that reads it.
  return pipeline(response, unpacker, () => undefined);
}

function unpackerOf(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'deflate') return createInflate();
  return encoding === 'br' ? createBrotliDecompress() : null;
}
