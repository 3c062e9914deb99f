import { MAX_PICTURE_BYTES, reasonOf } from '@kith/contracts';
import type { ImagePart, ImageType } from '@kith/llm';
import type { Logger } from 'pino';
import type { GuardedFetch } from './guarded-fetch.js';

/** First bytes of each kind of picture, in hexadecimal digits. */
const BEGINNINGS: readonly (readonly [ImageType, RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  // `RIFF`, four bytes of length, `WEBP`.
  ['image/webp', /^52494646.{8}57454250/],
];
/** Bytes of the longest of them. */
const MAX_BEGINNING = 12;

/** Reads the pictures of messages: from the hosts where doors keep them, or out of the message itself. */
export class PictureReader {
  constructor(
    private readonly web: Pick<GuardedFetch, 'get'>,
    private readonly hosts: readonly string[],
    private readonly logger: Pick<Logger, 'info'>,
  ) {}

  /** Reads a picture; null if it can't be fetched, is too large, or is of no kind that models take. */
  async read(url: string, signal: AbortSignal): Promise<ImagePart | null> {
    try {
      const bytes = url.startsWith('data:')
        ? Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
        : await this.fetch(url, signal);
      const mediaType = bytes.length > MAX_PICTURE_BYTES ? null : pictureType(bytes);
      return mediaType && { type: 'image', mediaType, data: bytes.toString('base64') };
    } catch (error) {
      signal.throwIfAborted();
      // An error holds the address, or the whole picture if that is a `data:` address.
      this.logger.info({ reason: reasonOf(error) }, 'a picture could not be fetched');
      return null;
    }
  }

  private async fetch(url: string, signal: AbortSignal): Promise<Buffer> {
    const { bytes } = await this.web.get(url, {
      // One byte more than allowed shows that a picture is too large.
      types: ['image/'],
      maxBytes: MAX_PICTURE_BYTES + 1,
      signal,
      mayAsk: (host) => this.hosts.includes(host),
    });
    return bytes;
  }
}

/** Finds what a picture is by its bytes, whatever it is called. */
function pictureType(bytes: Buffer): ImageType | null {
  const beginning = bytes.subarray(0, MAX_BEGINNING).toString('hex');
  return BEGINNINGS.find(([, pattern]) => pattern.test(beginning))?.[0] ?? null;
}
