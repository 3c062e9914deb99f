import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Keeps a benchmark's figures in `bench/results`, which is no part of the repository. */
export async function writeResult(name: string, result: unknown): Promise<void> {
  const directory = join(import.meta.dirname, 'results');
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${name}.json`), JSON.stringify(result, null, 2));
}
