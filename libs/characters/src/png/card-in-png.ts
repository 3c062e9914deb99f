import { inflateSync } from 'node:zlib';
import { MAX_JSON_BYTES, refused } from '../read-json.js';
import { joinPng, splitPng, textChunk, type PngChunk } from './png-chunks.js';

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
