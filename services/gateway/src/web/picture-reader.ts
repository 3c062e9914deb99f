import { MAX_PICTURE_BYTES } from '@kith/contracts';
import type { ImagePart } from '@kith/llm';
import type { Logger } from 'pino';
import type { GuardedFetch } from './guarded-fetch.js';
import { pictureType } from './picture-type.js';

/** Reads the pictures that messages carry: from the hosts that doors keep them at, or out of the message itself. */
export class PictureReader {
  constructor(
    private readonly web: Pick<GuardedFetch, 'get'>,
    private readonly hosts: readonly string[],
    private readonly logger: Pick<Logger, 'info'>,
  ) {}

  /** Returns null for a picture that can't be had, is too large, or is of no kind that models take. */
  async read(url: string, signal: AbortSignal): Promise<ImagePart | null> {
    try {
      const bytes = url.startsWith('data:') ? bytesOf(url) : await this.fetch(url, signal);
      const mediaType = bytes.length > MAX_PICTURE_BYTES ? null : pictureType(bytes);
      return mediaType && { type: 'image', mediaType, data: bytes.toString('base64') };
    } catch (error) {
      signal.throwIfAborted();
      this.logger.info({ err: error }, 'a picture could not be fetched');
      return null;
    }
  }

  private async fetch(url: string, signal: AbortSignal): Promise<Buffer> {
    const { bytes } = await this.web.get(url, {
      // One byte more tells that there is more.
      ...{ types: ['image/'], maxBytes: MAX_PICTURE_BYTES + 1, signal },
      mayAsk: (host) => this.hosts.includes(host),
    });
    return bytes;
  }
}

function bytesOf(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
