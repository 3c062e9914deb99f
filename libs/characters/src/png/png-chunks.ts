import { crc32 } from 'node:zlib';
import { refused } from '../read-json.js';

/** Signature of a PNG. */
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** The largest picture that is read, in bytes: cards have 1 to 4 MB. */
const MAX_PNG_BYTES = 32_000_000;
/** Encoders cut a picture into chunks of 8 kB and more. */
const MAX_CHUNKS = 20_000;
/** Length, type and checksum of a chunk. */
const FRAME = 12;

/** One chunk of a PNG, as it stands in the file. */
export interface PngChunk {
  readonly type: string;
  readonly data: Uint8Array;
  /** With its length, type and checksum. */
  readonly whole: Uint8Array;
}

/** A PNG in parts that make the same file again. */
export interface PngFile {
  readonly chunks: readonly PngChunk[];
  /** Bytes that some programs write behind the end. */
  readonly rest: Uint8Array;
}

export function isPng(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, at) => bytes[at] === byte);
}

/** Splits a PNG into its chunks, with their lengths and checksums verified. @throws AppError `invalid_request` */
export function splitPng(bytes: Uint8Array): PngFile {
  if (bytes.length > MAX_PNG_BYTES) throw refused(`is a PNG of more than ${MAX_PNG_BYTES / 1e6} MB`);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: PngChunk[] = [];
  let at = SIGNATURE.length;
  while (chunks.at(-1)?.type !== 'IEND') {
    if (at + FRAME > view.length) throw refused('is a PNG that breaks off');
    if (chunks.length === MAX_CHUNKS) throw refused(`is a PNG of more than ${MAX_CHUNKS} chunks`);
    const length = view.readUInt32BE(at);
    const end = at + FRAME + length;
    if (end > view.length) throw refused('is a PNG with a chunk that is longer than the file');
    const type = view.toString('latin1', at + 4, at + 8);
    if (chunks.length === 0 && type !== 'IHDR') throw refused('is a PNG that does not begin with its header');
    if (crc32(view.subarray(at + 4, end - 4)) !== view.readUInt32BE(end - 4))
      throw refused('is a PNG with a damaged chunk: its checksum is wrong');
    chunks.push({ type, data: view.subarray(at + 8, end - 4), whole: view.subarray(at, end) });
    at = end;
  }
  return { chunks, rest: view.subarray(at) };
}

/** The file that these parts make. */
export function joinPng({ chunks, rest }: PngFile): Uint8Array {
  return Buffer.concat([SIGNATURE, ...chunks.map(({ whole }) => whole), rest]);
}

/** A chunk of text. */
export function textChunk(keyword: string, text: string): PngChunk {
  const data = Buffer.from(`${keyword}\0${text}`, 'latin1');
  const whole = Buffer.alloc(data.length + FRAME);
  whole.writeUInt32BE(data.length, 0);
  whole.write('tEXt', 4, 'latin1');
  data.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), whole.length - 4);
  return { type: 'tEXt', data, whole };
}
