import type { ImageType } from '@kith/llm';

/** First bytes of each kind of picture, in hexadecimal digits. */
const BEGINNINGS: readonly (readonly [ImageType, RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  // `RIFF`, four bytes of length, `WEBP`.
  ['image/webp', /^52494646.{8}57454250/],
];
/** Bytes that the longest of them has. */
const MAX_BEGINNING = 12;

/** Finds what a picture is by its bytes, whatever it is called; null for none that models take. */
export function pictureType(bytes: Buffer): ImageType | null {
  const beginning = bytes.subarray(0, MAX_BEGINNING).toString('hex');
  return BEGINNINGS.find(([, pattern]) => pattern.test(beginning))?.[0] ?? null;
}
