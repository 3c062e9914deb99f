import { readFile, stat, writeFile } from 'node:fs/promises';
import { CliError } from './cli-error.js';

/** Makes what to throw of a file that can't be read: `readFile(file).catch(unreadable(file))`. */
export function unreadable(file: string): (error: unknown) => never {
  return (error) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(
      code === 'ENOENT' ? `there is no file ${file}` : `${file} can't be read: ${message}`,
      2,
    );
  };
}

/** Reads a text file. @throws CliError where it can't be read */
export function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(unreadable(file));
}

/** Looks up how many bytes a file has. @throws CliError where it can't be read, or is a folder or the like */
export async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(unreadable(file));
  if (!found.isFile()) throw new CliError(`${file} is not a file`, 2);
  return found.size;
}

/** Writes a file, in the place of one that is there. @throws CliError where it can't be written */
export async function writeOver(file: string, content: string | Uint8Array): Promise<void> {
  await writeFile(file, content).catch((cause: unknown) => {
    throw new CliError(`could not write ${file}: ${(cause as Error).message}`, 1, { cause });
  });
}
