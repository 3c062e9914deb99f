import { inflateSync, crc32 } from 'node:zlib';
import { MAX_JSON_BYTES, refused } from '../read-json.js';

/** Names that cards have in a picture, the newer one first. */
const KEYWORDS = ['ccv3', 'chara'];
/** Base64 makes three bytes four; line breaks may come to that. */
const MAX_BASE64 = MAX_JSON_BYTES * 1.5;
/** A keyword has at most 79 bytes. */
const MAX_KEYWORD = 79;

/** The card in a picture, as JSON's bytes: the newest where there are two. @throws AppError `invalid_request` */
export function cardInPng(png: Uint8Array): Uint8Array {
  const { chunks } = splitPng(png);
  for (const keyword of KEYWORDS) {
    // Where a program appended a card to a picture that had one, the last is the newer.
    const chunk = chunks.findLast((one) => keywordOf(one) === keyword);
    if (chunk) return decoded(textIn(chunk));
  }
  throw refused('is a picture without a card in it');
}

/** Puts these cards into a picture in place of those it had: every other chunk stays byte for byte. */
export function pngWithCards(png: Uint8Array, cards: Readonly<Record<string, string>>): Uint8Array {
  const { chunks, rest } = splitPng(png);
  const others = chunks.filter((chunk) => !KEYWORDS.includes(keywordOf(chunk) ?? ''));
  const added = Object.entries(cards).map(([keyword, json]) =>
    textChunk(keyword, Buffer.from(json, 'utf8').toString('base64')),
  );
  return joinPng({ chunks: [...others.slice(0, -1), ...added, ...others.slice(-1)], rest });
}

/** Chunks that hold texts, and those that every picture has: frames of an animation are of other types than pixels. */
const KEPT = new Set(['IHDR', 'tEXt', 'zTXt', 'iTXt', 'IEND']);

/** Takes all but the texts out of a picture, which leaves the smaller file that still holds the card. */
export function pngWithoutPixels(png: Uint8Array): Uint8Array {
  const { chunks } = splitPng(png);
  return joinPng({ chunks: chunks.filter(({ type }) => KEPT.has(type)), rest: new Uint8Array() });
}

function keywordOf({ type, data }: PngChunk): string | null {
  if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') return null;
  const end = data.subarray(0, MAX_KEYWORD + 1).indexOf(0);
  return end === -1 ? null : Buffer.from(data.subarray(0, end)).toString('latin1').toLowerCase();
}

function textIn({ type, data }: PngChunk): Uint8Array {
  const start = data.indexOf(0) + 1;
  if (type === 'tEXt') return data.subarray(start);
  if (type === 'zTXt') return inflated(data.subarray(start + 1));
  // iTXt: whether it is compressed, how, its language, and its keyword in that.
  const isCompressed = data[start] === 1;
  const translated = data.indexOf(0, start + 2) + 1;
  const text = translated === 0 ? 0 : data.indexOf(0, translated) + 1;
  if (text === 0) throw refused('has a broken text chunk');
  return isCompressed ? inflated(data.subarray(text)) : data.subarray(text);
}

function inflated(data: Uint8Array): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: MAX_BASE64 });
  } catch (cause) {
    throw refused('has a card that is damaged, or too long when it is unpacked', cause);
  }
}

function decoded(base64: Uint8Array): Uint8Array {
  if (base64.length > MAX_BASE64) throw refused('has a card that is too long');
  const text = Buffer.from(base64).toString('latin1').replaceAll(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw refused('has a card that is not base64');
  return Buffer.from(text, 'base64');
}

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
