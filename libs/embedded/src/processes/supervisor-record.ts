import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PRIVATE_DIRECTORY } from '../files/private-files.js';
import {
  folderOf,
  identify,
  isAlive,
  notThere,
  parseRecord,
  runsIn,
  type KnownProcess,
  type NotedProcess,
} from './process-records.js';

/** Pause before the lock is looked at again: its holder writes one small file. */
const POLL_MS = 10;

const fileOf = (directory: string) => join(directory, 'supervisor.pid');

/**
 * Finds the living process that runs the suite of a directory. Removes the record of one that was killed, or that came with
 * a copy of another suite's directory.
 * @throws Error in one line when the record can't be read
 */
export async function findSupervisor(directory: string): Promise<KnownProcess | null> {
  const noted = await readRecord(directory);
  if (noted && runsIn(directory, noted)) return noted;
  if (noted) await removeSupervisorRecord(directory, noted.pid);
  return null;
}

/**
 * Notes that this process runs the suite of a directory, which is how the scripts find it.
 * @throws Error when another living process does
 */
export async function recordSupervisor(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  await inTurn(directory, async () => {
    const other = await readRecord(directory);
    if (other && runsIn(directory, other))
      throw new Error(`process ${other.pid} runs the suite already: ./scripts/down`);
    const whole = `${fileOf(directory)}.${process.pid}`;
    const noted = { ...identify(process.pid), folder: folderOf(directory) };
    await writeFile(whole, JSON.stringify(noted), { mode: 0o600 });
    // Nobody reads half of a record.
    await rename(whole, fileOf(directory));
  });
}

/** Removes the record of a process, and never that of another which runs the suite by now. */
export async function removeSupervisorRecord(directory: string, pid: number): Promise<void> {
  await inTurn(directory, async () => {
    const noted = await readRecord(directory);
    if (noted?.pid === pid) await rm(fileOf(directory), { force: true });
  });
}

async function readRecord(directory: string): Promise<NotedProcess | null> {
  const noted = parseRecord(
    await readFile(fileOf(directory), 'utf8').catch((error: unknown) => notThere(error)),
  ) as NotedProcess | number | null;
  // An earlier version wrote the number alone.
  return typeof noted === 'number' ? identify(noted) : noted;
}

/**
 * Changes the record under a lock, so that what was read still holds when it is written. The lock is a folder, which
 * replaces only an empty one. Its one entry is named after its process: removing the lock of a killed process never
 * removes another's.
 */
async function inTurn(directory: string, change: () => Promise<void>): Promise<void> {
  const lock = join(directory, 'supervisor.lock');
  const own = `${lock}.${randomUUID()}`;
  const name = encodeURIComponent(JSON.stringify(identify(process.pid)));
  await mkdir(own, { mode: PRIVATE_DIRECTORY });
  await writeFile(join(own, name), '');
  while (!(await takesPlace(own, lock))) {
    for (const holder of await readdir(lock).catch(() => []))
      if (!isAlive(JSON.parse(decodeURIComponent(holder)) as KnownProcess))
        await rm(join(lock, holder), { force: true });
    await sleep(POLL_MS);
  }
  try {
    await change();
  } finally {
    await rm(join(lock, name), { force: true });
    // Another has taken its place where it can't be removed.
    await rmdir(lock).catch(() => undefined);
  }
}

async function takesPlace(own: string, lock: string): Promise<boolean> {
  try {
    await rename(own, lock);
    return true;
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
