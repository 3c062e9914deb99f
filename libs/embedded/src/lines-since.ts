import { readFile } from 'node:fs/promises';

/** Reads the whole lines of a file that came after its first `size` bytes. */
export async function linesSince(path: string, size: number): Promise<string[]> {
  const added = (await readFile(path)).subarray(size);
  return added.toString().split('\n').slice(0, -1);
}
