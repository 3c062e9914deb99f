import { readFile, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  Persona,
  readCharacter,
  writeCharacter,
  type CharacterReport,
  type ReadCharacter,
  type WrittenFormat,
} from '@kith/characters';
import {
  AppError,
  companionRoutes,
  CompanionId,
  LoreInput,
  loreRoutes,
  personaRoutes,
} from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { plural } from '../terminal/plural.js';
import type { Terminal } from '../terminal/terminal.js';

/** The largest file that is read, in bytes: above the largest picture that carries a card. */
const MAX_BYTES = 40_000_000;
/** Characters of lore in one request: the API takes a megabyte, in which one may be three bytes long. */
const MAX_LORE_CHARS = 300_000;

/** Brings a character in: shows what its file holds, puts it in force at once, and gives it its lore. */
export async function importCharacter(
  context: CommandContext,
  file: string,
  options: { id?: string; replace?: boolean; dryRun?: boolean; json?: boolean },
): Promise<void> {
  const { api, terminal } = context;
  const { persona: read, lore, report } = readFrom(file, await bytesOf(file));
  const persona = { ...read, id: idFrom(options.id ?? read.id) };
  const { companions } = await api.call(companionRoutes.list);
  const isThere = companions.some(({ id }) => id === persona.id);
  if (!options.json) printReport(terminal, report);
  if (options.dryRun) {
    if (options.json) return terminal.json({ persona, lore, report });
    const fate = isThere ? 'is there already: --replace would make it a new version' : 'would be new';
    return terminal.note(`nothing was changed; ${persona.id} ${fate}`);
  }
  if (isThere && !options.replace)
    throw new CliError(
      `there is a companion ${persona.id} already: give --id NAME, or --replace for a new version`,
      2,
    );
  const view = isThere
    ? await api.call(personaRoutes.edit, { params: { id: persona.id }, body: persona })
    : await api.call(personaRoutes.create, { body: persona });
  const taken = { added: 0, replaced: 0 };
  for (const book of inRequests(lore)) {
    const result = await api.call(loreRoutes.import, { params: { id: persona.id }, body: { book } });
    taken.added += result.added;
    taken.replaced += result.replaced;
  }
  if (options.json) return terminal.json({ companion: view, lore: taken, report });
  const told = `${plural(taken.added, 'entry', 'entries')} of lore added, ${taken.replaced} replaced`;
  terminal.line(`${view.name} is in force as ${view.id}, version ${view.version}; ${told}`);
}

/** Writes a companion to a file, with its lore, in a format of choice. */
export async function exportCharacter(
  { api, terminal }: CommandContext,
  companionId: string,
  file: string,
  options: { format?: WrittenFormat; png?: string },
): Promise<void> {
  const params = { id: companionId };
  const { persona } = await api.call(personaRoutes.show, { params, query: {} });
  const { entries } = await api.call(loreRoutes.list, { params });
  const lore = entries.map(({ id: _, updatedAt: __, ...entry }) => LoreInput.parse(entry));
  const format = options.format ?? (options.png === undefined ? 'kith' : 'tavern-v3');
  const picture = options.png === undefined ? undefined : await bytesOf(options.png);
  const bytes = explained(basename(file), () =>
    writeCharacter({ persona: Persona.parse(persona), lore }, format, picture),
  );
  await writeFile(file, bytes).catch((cause: unknown) => {
    throw new CliError(`could not write ${file}: ${(cause as Error).message}`, 1, { cause });
  });
  terminal.line(
    `${companionId} is written to ${file} as ${format}, with ${plural(lore.length, 'entry', 'entries')} of lore`,
  );
}

async function bytesOf(file: string): Promise<Uint8Array> {
  const found = await stat(file).catch((error: unknown) => {
    throw new CliError(`${file} can't be read: ${(error as Error).message}`, 2);
  });
  if (!found.isFile()) throw new CliError(`${file} is no file`, 2);
  if (found.size > MAX_BYTES) throw new CliError(`${file} is larger than ${MAX_BYTES / 1e6} MB`, 2);
  return readFile(file);
}

function readFrom(file: string, bytes: Uint8Array): ReadCharacter {
  return explained(basename(file), () => readCharacter(bytes));
}

/** Describes a report on a file, as the person reads it. */
function explained<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) throw new CliError(`${file}: ${error.message}`, 2, { cause: error });
    throw error;
  }
}

function idFrom(text: string): string {
  const id = CompanionId.safeParse(text);
  if (!id.success) throw new CliError(`"${text}" is no id: lower-case letters, digits and dashes`, 2);
  return id.data;
}

/** Prints what became of each field. */
function printReport(terminal: Terminal, { format, ...groups }: CharacterReport): void {
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

/** Lore in books that a request can carry. */
function inRequests(lore: readonly LoreInput[]): LoreInput[][] {
  const books: LoreInput[][] = [];
  let room = 0;
  for (const entry of lore) {
    const size = JSON.stringify(entry).length;
    if (size > room) {
      books.push([]);
      room = MAX_LORE_CHARS;
    }
    books.at(-1)!.push(entry);
    room -= size;
  }
  return books;
}
