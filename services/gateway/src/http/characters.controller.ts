import { isDeepStrictEqual } from 'node:util';
import {
  cameWithLore,
  loreOfPersona,
  noteLore,
  Persona,
  readCharacter,
  writeCharacter,
  type CharacterReport,
  type ReadCharacter,
} from '@kith/characters';
import {
  AppError,
  type CharacterFormat,
  loreContract,
  type LoreEntry,
  LoreInput,
  MAX_LORE,
  personalityContract,
  personaRoutes,
  isUnavailable,
} from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { readPersonaVersion } from './read-persona-version.js';
import { serveRoutes } from './serve-routes.js';

/** Characters of lore in one request to memory, which has to embed and keep them within the time of a request. */
const MAX_LORE_CHARS = 300_000;

/** Format of a report on a persona of our own, which says all that a persona has. */
const OWN_FORMAT = 'kith' satisfies CharacterFormat;

/** Lore that a companion has before an import. */
interface LorePlan {
  /** Ids of entries that go. */
  former: string[];
  /** Entries that came with no persona. */
  own: LoreEntry[];
}

/** A line that names more is read by nobody. */
const MAX_NAMED = 10;

const { import: importCharacter, rollBack, export: exportCharacter } = personaRoutes;

/** Brings characters in, from the files of other programs or an earlier version, and writes them out again. */
export const CharactersController = serveRoutes(
  { import: importCharacter, rollBack, export: exportCharacter },
  ({ messenger, companions: directory }) => ({
    import: async ({ body }) => {
      const { persona: read, lore, report } = readContent(body.content);
      const id = body.id ?? read.id;
      directory.forget();
      const isThere = (await directory.list()).some((one) => one.id === id);
      if (isThere && !body.replace && !body.dryRun)
        throw new AppError('conflict', `there is a companion ${id} already`, { field: 'id' });
      const before = isThere ? await readPersonaVersion(messenger, id) : undefined;
      const nights = report.format === OWN_FORMAT ? undefined : before?.heartbeat;
      const asked = { ...read, id, ...(nights && { heartbeat: nights }) };
      if (nights) reportKept(report, nights);
      // Before any change: a companion must not get the new persona with only a part of its lore.
      const plan = planLore(messenger, id, before, lore);
      const { former, own } = await (body.dryRun ? plan.catch(planNothing) : plan);
      const persona = noteLore({ persona: asked, lore }, report, own);
      reportReplaced(report, own, lore);
      const found = { persona, loreEntries: lore.length, report, isThere };
      if (body.dryRun) return { ...found, companion: null };
      // Lore first: a repeated import still finds the former persona, which shows the lore that belongs to it.
      if (isThere) await replaceLore(messenger, id, former, lore);
      const companion = isThere
        ? await messenger.ask(personalityContract.editPersona, { companionId: id, persona })
        : await messenger.ask(personalityContract.createCompanion, { persona });
      directory.forget();
      if (!isThere) await replaceLore(messenger, id, former, lore);
      return { ...found, companion };
    },
    /** Leaves lore as it is: nobody knows any more which of it came with a version and is still wanted. */
    rollBack: async ({ params: { id: companionId }, body: { version } }) => {
      const inForce = await readPersonaVersion(messenger, companionId);
      const target = await readPersonaVersion(messenger, companionId, version);
      const companion = await messenger.ask(personalityContract.rollBackPersona, { companionId, version });
      directory.forget();
      return { ...companion, leavesLore: [inForce, target].some(cameWithLore) };
    },
    export: async ({ params: { id }, query }) => {
      const companionId = await directory.require(id, 'id');
      const { persona } = await messenger.ask(personalityContract.persona, { companionId });
      const { entries } = await messenger.ask(loreContract.lore, { companionId });
      const lore = entries.map(({ id: _, updatedAt: __, ...entry }) => LoreInput.parse(entry));
      return writeCharacter({ persona: Persona.parse(persona), lore }, query.format);
    },
  }),
);

async function replaceLore(
  messenger: Messenger,
  companionId: string,
  former: string[],
  lore: readonly LoreInput[],
): Promise<void> {
  const books = lore.length === 0 && former.length > 0 ? [[]] : inRequests(lore);
  for (const [n, book] of books.entries()) {
    const instead = n === 0 ? former : [];
    await messenger.ask(loreContract.importLore, { companionId, book, instead });
  }
}

/**
 * Finds the entries that go with the persona so far, and its own, which came with none, and checks that the new ones fit
 * beside the others. Of a companion that is out of service only pieces of its description are known to be such.
 * @throws AppError `invalid_request` naming the field
 */
async function planLore(
  messenger: Messenger,
  companionId: string,
  before: Persona | undefined,
  lore: readonly LoreInput[],
): Promise<LorePlan> {
  const { entries } = await messenger.ask(loreContract.lore, { companionId });
  const names = new Set(lore.map(({ name }) => name));
  const came = new Set(loreOfPersona(entries, before));
  const gone = [...came].filter(({ name }) => !names.has(name));
  const total = new Set([...entries, ...lore].map(({ name }) => name)).size - gone.length;
  if (total > MAX_LORE) {
    const message = `${companionId} would have ${total} entries of lore, and ${MAX_LORE} fit: remove some of its own, or of the file’s`;
    throw new AppError('invalid_request', message, { field: 'content' });
  }
  return { former: gone.map(({ id }) => id), own: entries.filter((entry) => !came.has(entry)) };
}

/** Reads a file of a character. @throws AppError `invalid_request` that names the field */
function readContent(base64: string): ReadCharacter {
  try {
    return readCharacter(Buffer.from(base64, 'base64'));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, error.message, { ...error.details, field: 'content' });
  }
}

/** Reports that a companion keeps its people per night: another program's file says nothing of that. */
function reportKept(report: CharacterReport, { peoplePerNight }: NonNullable<Persona['heartbeat']>): void {
  const others = report.understood.filter(({ field }) => field !== 'heartbeat');
  const note = `it goes on thinking of ${peoplePerNight} people a night, each at the price of a reply`;
  report.understood.splice(0, report.understood.length, ...others, { field: 'heartbeat', note });
}

/** Reports the companion's own entries that those of the file take the place of: they have the same names. */
function reportReplaced(
  report: CharacterReport,
  own: readonly LoreEntry[],
  lore: readonly LoreInput[],
): void {
  const byName = new Map(lore.map((entry) => [entry.name, entry]));
  const replaced = own.filter(({ id: _, updatedAt: __, ...entry }) => {
    const now = byName.get(entry.name);
    return now !== undefined && !isDeepStrictEqual(entry, now);
  });
  if (replaced.length === 0) return;
  const named = replaced.slice(0, MAX_NAMED).map((entry) => `“${entry.name}”`);
  const others = replaced.length > MAX_NAMED ? ` and ${replaced.length - MAX_NAMED} more` : '';
  const note = `entries of its own, or that you changed, give way to the file’s: ${named.join(', ')}${others}`;
  report.dropped.push({ field: 'lore', note });
}

/** Leaves lore uncounted while memory is away: what a file has in it can be shown all the same. */
function planNothing(error: unknown): LorePlan {
  if (isUnavailable(error)) return { former: [], own: [] };
  throw error;
}

/** Divides lore into books that fit a request each. */
function inRequests(lore: readonly LoreInput[]): LoreInput[][] {
  const books: LoreInput[][] = [];
  let book: LoreInput[] | undefined;
  let room = 0;
  for (const entry of lore) {
    const size = JSON.stringify(entry).length;
    if (size > room || !book) {
      book = [];
      books.push(book);
      room = MAX_LORE_CHARS;
    }
    book.push(entry);
    room -= size;
  }
  return books;
}
