import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** More than a few hundred rounds write. */
const SIZE = '4g';
const MARGIN_BYTES = 256 * 1_024;

/** A disk of the suite's own, which can be filled without harm to anything else. */
export interface Disk {
  /** False: there is none, because this user may not mount one. */
  fill(): Promise<boolean>;
  free(): Promise<void>;
  unmount(): Promise<void>;
}

/** Mounts a small file system over the directory, where that is allowed. */
export async function mountDisk(directory: string): Promise<Disk> {
  const isMounted = await run('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${SIZE},mode=755`,
    'kith-faults',
    directory,
  ]).then(
    () => true,
    () => false,
  );
  const resize = (size: string) => run('mount', ['-o', `remount,size=${size}`, directory]);
  return {
    async fill() {
      if (!isMounted) return false;
      const { blocks, bfree, bsize } = await statfs(directory);
      // What is written between the count and the mount would not fit: then the mount is refused.
      await resize(String((blocks - bfree) * bsize + MARGIN_BYTES));
      return true;
    },
    async free() {
      await resize(SIZE);
    },
    async unmount() {
      if (isMounted) await run('umount', ['--lazy', directory]);
    },
  };
}
