import type { SentPicture } from '@kith/contracts';
import type { ImagePart } from '@kith/llm';
import type { PictureReader } from '../web/picture-reader.js';

/** Reads the pictures of a burst. One that can't be read is left out: its message still has a note of it. */
export async function picturesOf(
  reader: Pick<PictureReader, 'read'>,
  pictures: readonly SentPicture[],
  signal: AbortSignal,
): Promise<ImagePart[]> {
  const read = await Promise.all(pictures.map(({ url }) => reader.read(url, signal)));
  return read.filter((picture) => picture !== null);
}
