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
  LoreInput,
  MAX_LORE,
  personalityContract,
  personaRoutes,
  isUnavailable,
} from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { Controller } from '@nestjs/common';
import { CompanionDirectory } from '../intake/companion-directory.js';
import { readPersonaVersion } from './read-persona-version.js';
import { Serves, type RouteCall } from './serves.js';

/** Characters of lore in one request to memory, which has to embed and keep them within the time of a request. */
const MAX_LORE_CHARS = 300_000;

/** Format of a report on a persona of our own, which says all that a persona has. */
const OWN_FORMAT = 'kith' satisfies CharacterFormat;

/** Lore that a companion has before an import. */
interface LorePlan {
  /** Ids of entries that go. */
  former: string[];
  /** Entries that came with no persona. */
  own: LoreInput[];
}

/** Brings characters in, from the files of other programs or an earlier version, and writes them out again. */
@Controller()
export class CharactersController {
  constructor(
    private readonly messenger: Messenger,
    private readonly directory: CompanionDirectory,
  ) {}

  @Serves(personaRoutes.import)
  async onImport({ body }: RouteCall<typeof personaRoutes.import>) {
    const { persona: read, lore, report } = readContent(body.content);
    const id = body.id ?? read.id;
    this.directory.forget();
    const isThere = (await this.directory.list()).some((one) => one.id === id);
    if (isThere && !body.replace && !body.dryRun)
      throw new AppError('conflict', `there is a companion ${id} already`, { field: 'id' });
    const before = isThere ? await readPersonaVersion(this.messenger, id) : undefined;
    const nights = report.format === OWN_FORMAT ? undefined : before?.heartbeat;
    const asked = { ...read, id, ...(nights && { heartbeat: nights }) };
    if (nights) reportKept(report, nights);
    // Before any change: a companion must not get the new persona with only a part of its lore.
    const plan = this.planLore(id, before, lore);
    const { former, own } = await (body.dryRun ? plan.catch(planNothing) : plan);
    const persona = noteLore({ persona: asked, lore }, report, own);
    const found = { persona, loreEntries: lore.length, report, isThere };
    if (body.dryRun) return { ...found, companion: null };
    // Lore first: a repeated import still finds the former persona, which shows the lore that belongs to it.
    if (isThere) await this.replaceLore(id, former, lore);
    const companion = isThere
      ? await this.messenger.ask(personalityContract.editPersona, { companionId: id, persona })
      : await this.messenger.ask(personalityContract.createCompanion, { persona });
    this.directory.forget();
    if (!isThere) await this.replaceLore(id, former, lore);
    return { ...found, companion };
  }

  /** Leaves lore as it is: nobody knows any more which of it came with a version and is still wanted. */
  @Serves(personaRoutes.rollBack)
  async onRollBack({
    params: { id: companionId },
    body: { version },
  }: RouteCall<typeof personaRoutes.rollBack>) {
    const inForce = await readPersonaVersion(this.messenger, companionId);
    const target = await readPersonaVersion(this.messenger, companionId, version);
    const companion = await this.messenger.ask(personalityContract.rollBackPersona, { companionId, version });
    this.directory.forget();
    return { ...companion, leavesLore: [inForce, target].some(cameWithLore) };
  }

  private async replaceLore(
    companionId: string,
    former: string[],
    lore: readonly LoreInput[],
  ): Promise<void> {
    const books = lore.length === 0 && former.length > 0 ? [[]] : inRequests(lore);
    for (const [n, book] of books.entries()) {
      const instead = n === 0 ? former : [];
      await this.messenger.ask(loreContract.import, { companionId, book, instead });
    }
  }

  /**
   * Finds the entries that go with the persona so far, and its own, which came with none, and checks that the new ones fit
   * beside the others. Of a companion that is out of service only pieces of its description are known to be such.
   * @throws AppError `invalid_request` naming the field
   */
  private async planLore(
    companionId: string,
    before: Persona | undefined,
    lore: readonly LoreInput[],
  ): Promise<LorePlan> {
    const { entries } = await this.messenger.ask(loreContract.list, { companionId });
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

  @Serves(personaRoutes.export)
  async onExport({ params, query }: RouteCall<typeof personaRoutes.export>) {
    const companionId = await this.directory.require(params.id);
    const { persona } = await this.messenger.ask(personalityContract.persona, { companionId });
    const { entries } = await this.messenger.ask(loreContract.list, { companionId });
    const lore = entries.map(({ id: _, updatedAt: __, ...entry }) => LoreInput.parse(entry));
    return writeCharacter({ persona: Persona.parse(persona), lore }, query.format);
  }
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
