import { constants, openSync, rmSync } from 'node:fs';
import { type FileHandle, link, lstat, open, realpath, rename, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { Terminal } from '../terminal/terminal.js';
import { CliError } from './cli-error.js';
import { PIPE } from './files.js';

type Pieces = AsyncIterable<string> | Iterable<string | Uint8Array>;

/** Writes a result to a file, or to the standard output for `-`. @throws CliError, see `writeNewFile` */
export async function writeResult(
  { output }: Terminal,
  file: string,
  pieces: Pieces,
  { force = false }: { force?: boolean },
): Promise<void> {
  if (file !== PIPE) return writeNewFile(file, pieces, force);
  for await (const piece of pieces) output.write(piece);
}

/**
 * Writes a file whole, or not at all: half an export looks like a whole one. The pieces go to a file beside it, which
 * gets the name at the end and is gone if the process leaves before, as by Ctrl-C. A file that was there stays as it is,
 * unless told to take its place; a link to it stays then. A pipe or a device is written into.
 * @throws CliError of exit code 2 for a name that is taken or can't be written to, and for a pipe that nobody reads;
 * whatever the pieces throw
 */
export async function writeNewFile(file: string, pieces: Pieces, force = false): Promise<void> {
  try {
    const found = await stat(file).catch(() => null);
    if (found?.isFIFO()) return await pipeline(pieces, openPipe(file));
    if (found && !found.isFile()) return await pour(pieces, await open(file, 'w'));
    if (!force && (await lstat(file).catch(() => null))) throw isTaken(file);
    await writeBeside(found ? await realpath(file) : file, pieces, force);
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new CliError(`${file}: ${message}`, 2, { cause: error });
  }
}

async function writeBeside(file: string, pieces: Pieces, force: boolean): Promise<void> {
  const part = `${file}.${process.pid}.part`;
  const removePart = (): void => rmSync(part, { force: true });
  const handle = await open(part, 'wx', 0o600);
  process.once('exit', removePart);
  try {
    await pour(pieces, handle);
    await (force ? rename(part, file) : nameNew(part, file));
  } finally {
    process.off('exit', removePart);
    removePart();
  }
}

/** Opens a pipe without waiting for its reader, who may never come: Ctrl-C could not end that wait. */
function openPipe(file: string): Socket {
  try {
    const fd = openSync(file, constants.O_WRONLY | constants.O_NONBLOCK);
    return new Socket({ fd, readable: false, writable: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error;
    throw new CliError(`${file}: nobody reads this pipe: start its reader first`, 2);
  }
}

function pour(pieces: Pieces, handle: FileHandle): Promise<void> {
  return pipeline(pieces, handle.createWriteStream());
}

/** Gives a file a name that no other has: a link, unlike a move, never replaces a file. */
async function nameNew(part: string, file: string): Promise<void> {
  try {
    await link(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw isTaken(file);
    // Some file systems, such as that of a memory stick, have no links.
    await rename(part, file);
  }
}

function isTaken(file: string): CliError {
  return new CliError(`${file} is there already: name another, or say --force`, 2);
}
