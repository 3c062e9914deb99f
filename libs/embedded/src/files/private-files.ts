import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Nobody but the owner. */
export const PRIVATE_DIRECTORY = 0o700;
const PRIVATE_FILE = 0o600;

/** Makes a directory that its owner alone may enter, or makes an existing one private, with the files in it. */
export async function makePrivate(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  await chmod(directory, PRIVATE_DIRECTORY);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makePrivate(path);
    else if (entry.isFile()) await chmod(path, PRIVATE_FILE);
  }
}

/**
 * Runs `start` so that the files of a process it starts are its owner's alone. A child takes its mask over from this
 * process at its start, so `start` must not wait for anything before.
 */
export function withPrivateFiles<Result>(start: () => Result): Result {
  const before = process.umask(0o077);
  try {
    return start();
  } finally {
    process.umask(before);
  }
}
