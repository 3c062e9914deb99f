import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PRIVATE_DIRECTORY } from './private-files.js';
import { identify, isAlive, type KnownProcess } from './process-records.js';

const fileOf = (directory: string) => join(directory, 'supervisor.pid');

/** Finds the living process that runs the suite of a directory. Removes the record of one that was killed. */
export async function findSupervisor(directory: string): Promise<KnownProcess | null> {
  const noted = await readRecord(directory);
  if (noted && isAlive(noted)) return noted;
  await rm(fileOf(directory), { force: true });
  return null;
}

/**
 * Notes that this process runs the suite of a directory, which is how the scripts find it.
 * @throws Error when another living process does
 */
export async function recordSupervisor(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  const other = await findSupervisor(directory);
  if (other) throw new Error(`process ${other.pid} runs the suite already: ./scripts/down`);
  const whole = `${fileOf(directory)}.${process.pid}`;
  try {
    await writeFile(whole, JSON.stringify(identify(process.pid)), { mode: 0o600 });
    // A link fails where another start was quicker, and nobody reads half of a record.
    await link(whole, fileOf(directory));
  } finally {
    await rm(whole, { force: true });
  }
}

/** Removes the record of a process, and never that of another which runs the suite by now. */
export async function removeSupervisorRecord(directory: string, pid: number): Promise<void> {
  const noted = await readRecord(directory);
  if (noted?.pid === pid) await rm(fileOf(directory), { force: true });
}

async function readRecord(directory: string): Promise<KnownProcess | null> {
  const noted = await readFile(fileOf(directory), 'utf8')
    .then((text) => JSON.parse(text) as KnownProcess | number | null)
    .catch(() => null);
  // An earlier version wrote the number alone.
  return typeof noted === 'number' ? identify(noted) : noted;
}
