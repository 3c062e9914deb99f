import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CliError } from './cli-error.js';

/** Name of the standard input or output in place of a file's. */
export const PIPE = '-';

/** Makes the handler that throws for a file that can't be read: `readFile(file).catch(unreadable(file))`. */
export function unreadable(file: string): (error: unknown) => never {
  return (error) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CliError(
      code === 'ENOENT' ? `there is no file ${file}` : `${file} can't be read: ${message}`,
      2,
    );
  };
}

/** Reads a text, `-` being the input. @throws CliError where it can't be read, or is not UTF-8 */
export async function readText(file: string, input?: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of textPieces(file, input)) text += piece;
  return text;
}

/**
 * Reads a text piece by piece, without the mark that some programs put at its begin, `-` being the input.
 * @throws CliError where it can't be read, or is not UTF-8
 */
export async function* textPieces(file: string, input?: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const isInput = file === PIPE && input !== undefined;
  const name = isInput ? 'the input' : file;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Uint8Array): string => {
    try {
      // A piece may end within a letter.
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (cause) {
      throw new CliError(`${name} is not UTF-8: save it as UTF-8 first`, 2, { cause });
    }
  };
  for await (const bytes of bytesOf(name, isInput ? input : createReadStream(file))) yield decode(bytes);
  yield decode();
}

async function* bytesOf(name: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source;
  } catch (error) {
    unreadable(name)(error);
  }
}

/** Looks up how many bytes a file has. @throws CliError where it can't be read, or is a folder or the like */
export async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(unreadable(file));
  if (!found.isFile()) throw new CliError(`${file} is not a file`, 2);
  return found.size;
}
