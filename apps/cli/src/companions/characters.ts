import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isPng, pictureWithCards, pngWithoutPixels, readDocument } from '@kith/characters';
import {
  counted,
  AppError,
  type CharacterFormat,
  CompanionId,
  MAX_CHARACTER_BYTES,
  personaRoutes,
  type CharacterReportView,
  visibleJson,
} from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from '../input/cli-error.js';
import { PIPE, sizeOf } from '../input/files.js';
import { writeResult } from '../input/write-result.js';
import type { CommandContext } from '../suite/command-context.js';
import type { Terminal } from '../terminal/terminal.js';
import { findCompanion } from './find-companion.js';

/** The largest file that is read, in bytes: above the largest picture that carries a card. */
const MAX_BYTES = 40_000_000;

/** Brings a character in: shows what its file holds, puts it in force at once, and gives it its lore. */
export async function importCharacter(
  { api, terminal }: CommandContext,
  file: string,
  options: { id?: string; replace?: boolean; dryRun?: boolean; json?: boolean },
): Promise<void> {
  const content = Buffer.from(withoutPixels(file, await bytesOf(file))).toString('base64');
  const id = options.id === undefined ? undefined : idFrom(options.id);
  const { persona, report, isThere } = await api.call(personaRoutes.import, {
    body: { content, id, dryRun: true },
  });
  if (!options.json) printReport(terminal, report);
  if (isThere && !options.replace && !options.dryRun)
    throw new CliError(
      `there is a companion ${String(persona['id'])} already: give --id NAME, or --replace for a new version`,
      2,
    );
  const { dryRun, replace } = options;
  const result = await api.call(personaRoutes.import, { body: { content, id, dryRun, replace } });
  if (options.json) return terminal.json(result);
  const { companion, loreEntries } = result;
  if (!companion) {
    const fate = isThere ? 'is there already: --replace would make it a new version' : 'would be new';
    return terminal.note(`nothing was changed; ${String(persona['id'])} ${fate}`);
  }
  const told = `with ${counted(loreEntries, 'entry', 'entries')} of lore`;
  terminal.line(`${companion.name} is in force as ${companion.id}, version ${companion.version}, ${told}`);
}

/** Writes a companion to a file, with its lore, in a format of choice. */
export async function exportCharacter(
  context: CommandContext,
  wanted: string,
  file: string,
  options: { format?: CharacterFormat; png?: string; force?: boolean },
): Promise<void> {
  const { api, terminal } = context;
  const { id } = await findCompanion(context, wanted);
  const documentIn = (format: CharacterFormat) =>
    api.call(personaRoutes.export, { params: { id }, query: { format } });
  const format = options.format ?? (options.png === undefined ? 'kith' : 'tavern-v3');
  let bytes: Uint8Array | string;
  if (options.png === undefined) bytes = `${visibleJson(await documentIn(format), 2)}\n`;
  else {
    if (format !== 'tavern-v2' && format !== 'tavern-v3')
      throw new CliError(`a picture carries Tavern cards alone, not ${format}`, 2);
    const picture = await bytesOf(options.png);
    const newer = format === 'tavern-v3' ? { v3: await documentIn('tavern-v3') } : {};
    const cards = { v2: await documentIn('tavern-v2'), ...newer };
    bytes = explained(basename(options.png), () => pictureWithCards(picture, cards));
  }
  await writeResult(terminal, file, [bytes], options);
  if (file !== PIPE) terminal.line(`${id} is written to ${file} as ${format}`);
}

/** Removes the pixels of a picture, and checks that there is a document in the rest that is small enough to be sent. */
function withoutPixels(file: string, bytes: Uint8Array): Uint8Array {
  const content = explained(basename(file), () => {
    // Of an archive or another kind of picture its size says nothing.
    readDocument(bytes);
    return isPng(bytes) ? pngWithoutPixels(bytes) : bytes;
  });
  if (content.length <= MAX_CHARACTER_BYTES) return content;
  throw new CliError(`${file} holds more than ${MAX_CHARACTER_BYTES / 1e6} MB beside its picture`, 2);
}

/** Reads a character's file. @throws CliError for one that can't be read, or is far too large */
export async function bytesOf(file: string): Promise<Uint8Array> {
  if ((await sizeOf(file)) > MAX_BYTES) throw new CliError(`${file} is larger than ${MAX_BYTES / 1e6} MB`, 2);
  return readFile(file);
}

/** Calls work on a file, and names the file in its errors. */
export function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) throw new CliError(`${file}: ${error.message}`, 2, { cause: error });
    throw error;
  }
}

function idFrom(text: string): string {
  const id = CompanionId.safeParse(text);
  if (!id.success)
    throw new CliError(`"${text}" is not a valid id: use lower-case letters, digits and dashes`, 2);
  return id.data;
}

/** Prints what became of each field. */
function printReport(terminal: Terminal, { format, ...groups }: z.infer<typeof CharacterReportView>): void {
  const titles = {
    understood: 'understood',
    assumed: 'assumed, since the file does not say',
    kept: 'kept for an export, in no prompt',
    dropped: 'left out',
  };
  terminal.line(`format: ${format}`);
  for (const [group, title] of Object.entries(titles) as [keyof typeof titles, string][]) {
    if (groups[group].length === 0) continue;
    terminal.line(title);
    for (const { field, note } of groups[group]) terminal.line(`  ${field}: ${note}`);
  }
}
