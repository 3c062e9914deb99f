import { randomUUID } from 'node:crypto';
import {
  AppError,
  MAX_LORE,
  type LoreEntry,
  type LoreInput,
  type LoreRequest,
  timesAsText,
} from '@kith/contracts';
import { lockUntilEnd, type Database, type LoreEntryModel, type Tx } from '@kith/database';
import { KeptAnswers, type Broadcasts } from '@kith/messaging';
import { matchLore } from './match-lore.js';
import { readLorebook } from '@kith/characters';

const CHANGED_CHANNEL = 'memory.lore-changed';

/** Keeps what companions know of their world. */
export class LoreKeeper {
  /** Entries by companion: every turn asks for them, and they hardly ever change. */
  private readonly entries: KeptAnswers<LoreEntry[]>;
  private stopListening: (() => void) | undefined;

  constructor(
    private readonly database: Database,
    broadcasts: Broadcasts,
  ) {
    this.entries = new KeptAnswers(broadcasts, CHANGED_CHANNEL);
  }

  /** Listens for changes by other replicas. */
  start(): void {
    this.stopListening = this.entries.listen();
  }

  stop(): void {
    this.stopListening?.();
  }

  /** Lists a companion's entries, in the order of a prompt. */
  async list({ companionId }: LoreRequest<'lore'>): Promise<LoreEntry[]> {
    const rows = await this.database.reader('system').$queryRaw<LoreEntryModel[]>`
      SELECT id, companion_id AS "companionId", name, keys, secondary_keys AS "secondaryKeys", content, constant,
        case_sensitive AS "caseSensitive", whole_words AS "wholeWords", probability, recursive, priority, insertion_order AS "insertionOrder", enabled,
        updated_at AS "updatedAt"
      FROM lore_entries WHERE companion_id = ${companionId} ORDER BY insertion_order, name`;
    return rows.map(viewOf);
  }

  /** Keeps an entry, in place of the one of its name. @throws AppError `invalid_request` when there is no room */
  async put({ companionId, entry }: LoreRequest<'putLore'>): Promise<LoreEntry> {
    const kept = await this.change(companionId, async (tx) => {
      await this.keep(tx, companionId, [entry]);
      return tx.loreEntry.findUniqueOrThrow({
        where: { companionId_name: { companionId, name: entry.name } },
      });
    });
    return viewOf(kept);
  }

  /** Keeps a whole book, which may replace others. @throws AppError `invalid_request` if it is none, or there is no room */
  async import({ companionId, book, instead }: LoreRequest<'importLore'>) {
    const read = readLorebook(book, companionId);
    if (!read) throw refused('this is not a lorebook: give a list of entries, a Tavern card, or world info');
    const counts = await this.change(companionId, async (tx) => {
      await tx.loreEntry.deleteMany({ where: { companionId, id: { in: instead } } });
      return this.keep(tx, companionId, read.entries);
    });
    return { ...counts, left: read.left };
  }

  /** Removes an entry. @throws AppError `not_found` for one that this companion lacks */
  async remove({ companionId, id }: LoreRequest<'removeLore'>): Promise<{ removed: string }> {
    return this.change(companionId, async (tx) => {
      const held = await tx.loreEntry.findUnique({ where: { id } });
      if (held?.companionId !== companionId)
        throw new AppError('not_found', `${companionId} has no such lore`);
      await tx.loreEntry.delete({ where: { id } });
      return { removed: held.name };
    });
  }

  /** Finds the entries that a talk calls up. */
  async match({ companionId, ...talk }: LoreRequest<'matchLore'>) {
    const entries = await this.entries.of(companionId, () => this.list({ companionId }));
    return entries.length === 0 ? { hits: [], left: [] } : matchLore(entries, talk);
  }

  private async keep(tx: Tx, companionId: string, entries: LoreInput[]) {
    const namesakes = { companionId, name: { in: entries.map(({ name }) => name) } };
    const held = await tx.loreEntry.findMany({ where: namesakes, select: { id: true, name: true } });
    await tx.loreEntry.deleteMany({ where: namesakes });
    const total = (await tx.loreEntry.count({ where: { companionId } })) + entries.length;
    if (total > MAX_LORE) throw refused(`${companionId} would have ${total} entries, and ${MAX_LORE} fit`);
    const ids = new Map(held.map(({ id, name }) => [name, id]));
    await tx.loreEntry.createMany({
      data: entries.map((entry) => ({ id: ids.get(entry.name) ?? randomUUID(), companionId, ...entry })),
    });
    return { added: entries.length - held.length, replaced: held.length };
  }

  private async change<T>(companionId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const result = await this.database.asSystem(async (tx) => {
      // One writer at a time: two that put the same name at once would both insert it.
      await lockUntilEnd(tx, `lore:${companionId}`);
      return work(tx);
    });
    await this.entries.end([companionId]);
    return result;
  }
}

function viewOf({ companionId: _, ...row }: LoreEntryModel): LoreEntry {
  return timesAsText(row);
}

function refused(message: string): AppError {
  return new AppError('invalid_request', message, { field: 'book' });
}
