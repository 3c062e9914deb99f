import { MAX_PICTURES } from '@kith/contracts';
import type { ImagePart } from '@kith/llm';
import type { Claim } from '../inbox/claim.js';
import type { PictureReader } from '../web/picture-reader.js';

/** Reads the newest pictures of a burst. One that can't be had is left out: the note of it stands in its message. */
export async function picturesOf(
  reader: Pick<PictureReader, 'read'>,
  { burst }: Pick<Claim, 'burst'>,
  signal: AbortSignal,
): Promise<ImagePart[]> {
  const sent = burst
    .filter(({ deleted, stopped }) => !deleted && !stopped)
    .flatMap(({ pictures }) => pictures);
  const read = await Promise.all(sent.slice(-MAX_PICTURES).map(({ url }) => reader.read(url, signal)));
  return read.filter((picture) => picture !== null);
}
