import { require400 } from './scripted-api.js';

/** Refuses pictures that are not base64, as every API does. */
export function checkBase64(data: string): void {
  require400(/^[A-Za-z0-9+/]+={0,2}$/.test(data) && data.length % 4 === 0, 'invalid base64 image data');
}

/** Reads a `data:` address; anything else would have to be fetched. */
export function mediaTypeOf(url: string): string {
  const [, mediaType = '', data = ''] = /^data:(image\/(?:png|jpeg|webp|gif));base64,(.*)$/.exec(url) ?? [];
  require400(mediaType, 'invalid image_url: expected a base64 data URL of a png, jpeg, webp or gif');
  checkBase64(data);
  return mediaType;
}

/** Reads a call's arguments as they stand in a history. */
export function argumentsOf(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new SyntaxError('arguments of a function call are no JSON');
  }
}
