import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';

/** Reads the whole lines of a file that came after its first `size` bytes. */
export async function linesSince(path: string, size: number): Promise<string[]> {
  return (await text(createReadStream(path, { start: size }))).split('\n').slice(0, -1);
}
