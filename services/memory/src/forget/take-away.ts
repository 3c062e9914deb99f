import { randomUUID } from 'node:crypto';
import { sql, type SealedRows, type SealOrder, type Tx } from '@kith/database';
import { forgetInCore } from '../core/core-keeper.js';
import { rewordFacts, type Owner } from '../facts/chosen-name.js';
import { describeFact } from '../facts/describe-fact.js';
import { factOf } from '../facts/fact-records.js';
import { COLUMNS, type MemoryRow } from '../rows/memory-row.js';
import { forgetTasks } from '../tasks/task-rows.js';

/** A row that goes. */
export type Removed = Pick<MemoryRow, 'id' | 'sources' | 'validTo' | 'supersededBy'>;
/** A row that was made of what goes. */
type Made = Removed & Pick<MemoryRow, 'kind' | 'writer'>;
/** Their columns, as they are read. */
export const REMOVED = {
  ...{ id: true, kind: true, sources: true, validTo: true, supersededBy: true },
  writer: true,
} as const;

/**
 * Tells whether a row says what its messages said. A reflection names a whole day's messages, and a companion's note all
 * that it may repeat: most of it they do not tell.
 */
export function tellsItsSources({
  kind,
  writer,
  sources,
}: Pick<MemoryRow, 'kind' | 'writer' | 'sources'>): boolean {
  const isNote = writer === 'companion' && sources.length > 1;
  return kind !== 'reflection' && !isNote;
}

/** Shelf of what was put right or taken back. */
const WITHDRAWN = 'withdrawn';

/** Rows that go, and why each of them does. */
interface Gone {
  removed: Removed[];
  /** Rows among it that were made of messages. */
  made: Made[];
  /** Rows among it that were asked for, and do not go along with others: what these had put right is open again. */
  named: Pick<Removed, 'id'>[];
}

interface Sealing {
  rows: SealedRows;
  order: SealOrder;
}

/** Tells whether a row was made of messages, and is not their words. */
export function isMade({ kind, writer }: Pick<MemoryRow, 'kind' | 'writer'>): boolean {
  return kind === 'reflection' || kind === 'fact' || writer === 'companion';
}

/** Finds facts, reflections and companions' notes that were made of these messages. */
export function madeOf(tx: Tx, owned: Owner, sources: string[]): Promise<Made[]> {
  const made = [{ kind: { in: ['reflection', 'fact'] } }, { writer: 'companion' }];
  return tx.memory.findMany({
    where: { ...owned, OR: made, sources: { hasSome: sources } },
    select: REMOVED,
  });
}

/** Removes rows, and revives the facts that facts among them had ended. */
export async function takeAway(
  tx: Tx,
  owned: Owner,
  { removed, made, named }: Gone,
  { rows, order }: Sealing,
): Promise<void> {
  const among = (ids: readonly string[]) =>
    sql`gone.person_id = ${owned.personId}::uuid AND gone.id = ANY (${[...ids]}::uuid[])`;
  const asked = new Set(named.map(({ id }) => id));
  const ended = (await endedBy(tx, owned, removed)).filter(
    ({ shelf, supersededBy }) => shelf !== WITHDRAWN || asked.has(supersededBy ?? ''),
  );
  await rows.copy(tx, order, 'memories', among(ended.map(({ id }) => id)), ['id']);
  await reviveFacts(tx, ended, removed);
  await rows.remove(tx, order, 'memories', among(removed.map(({ id }) => id)));
  // A fact that other messages say as well is read from those again.
  const alsoSaid = made.filter(({ kind }) => kind === 'fact').flatMap(({ sources }) => sources);
  await tx.memory.updateMany({
    where: { ...owned, kind: 'episode', sources: { hasSome: alsoSaid } },
    data: { readAt: null },
  });
  // A name that is forgotten is gone from what else is known of them.
  await rewordFacts(tx, owned);
}

/**
 * Removes what was made of a memory's messages, whose words have changed, to be made anew. Their points follow at upkeep.
 * @returns the kinds of what is gone
 */
export async function removeMade(
  tx: Tx,
  { id, personId, companionId, sources }: Pick<MemoryRow, 'id' | 'personId' | 'companionId' | 'sources'>,
  sealed: SealedRows,
): Promise<string[]> {
  const owned = { personId, companionId };
  const order = { orderId: randomUUID(), personId, until: null };
  await forgetInCore(tx, owned, sources);
  await forgetTasks(tx, sealed, order, { ...owned, sources });
  const candidates = (await madeOf(tx, owned, sources)).filter((row) => row.id !== id);
  const corrections = await correctionsAmong(tx, owned, candidates);
  const made = candidates.filter((row) => !corrections.has(row.id));
  await takeAway(tx, owned, { removed: made, made, named: [] }, { rows: sealed, order });
  const pending = made.map(({ id }) => id);
  // Refuses none of their words, and tells an undo that what was made of them before is gone.
  await tx.forgetRecord.create({ data: { ...owned, everything: false, sources, revision: 0, pending } });
  return made.map(({ kind }) => kind);
}

/** Finds notes that have put another memory right: these hold, whatever else their messages told. */
async function correctionsAmong(tx: Tx, owned: Owner, rows: readonly Made[]): Promise<Set<string | null>> {
  const notes = rows.filter(({ writer }) => writer === 'companion').map(({ id }) => id);
  const corrected = await tx.memory.findMany({
    where: { ...owned, shelf: WITHDRAWN, supersededBy: { in: notes } },
    select: { supersededBy: true },
  });
  return new Set(corrected.map(({ supersededBy }) => supersededBy));
}

/** Revives the facts that a memory had ended, when it is taken back. */
export async function reviveEndedBy(tx: Tx, row: Removed & Pick<MemoryRow, 'personId'>): Promise<void> {
  const ended = await endedBy(tx, row, [row]);
  // What it had put right stays withdrawn: that was wrong all the same.
  await reviveFacts(
    tx,
    ended.filter(({ shelf }) => shelf !== WITHDRAWN),
    [row],
  );
}

/** Finds facts that stay, and were ended by rows that go, however many: Prisma can't part a statement that has `notIn`. */
function endedBy(
  tx: Tx,
  { personId }: Pick<Owner, 'personId'>,
  removed: readonly Removed[],
): Promise<MemoryRow[]> {
  const gone = removed.map(({ id }) => id);
  return tx.$queryRaw<MemoryRow[]>`
    SELECT ${COLUMNS} FROM memories AS row
    WHERE person_id = ${personId}::uuid AND superseded_by = ANY (${gone}::uuid[]) AND id <> ALL (${gone}::uuid[])`;
}

/** Revives the facts that a forgotten one had ended, up to what had ended that one. */
async function reviveFacts(tx: Tx, ended: readonly MemoryRow[], removed: readonly Removed[]): Promise<void> {
  const gone = new Map(removed.map((row) => [row.id, row]));
  for (const row of ended) {
    if (row.shelf === WITHDRAWN) {
      // What had put it right is gone.
      const data = { shelf: 'open', shelfReason: null, supersededBy: null, indexedIn: null };
      await tx.memory.update({ where: { id: row.id }, data, select: { id: true } });
      continue;
    }
    const by = lastToEnd(row, gone);
    const { holdsUntil } = row;
    // What holds for a while does so until then, whenever that which had ended it was over.
    const isOver = holdsUntil !== null && !(by?.validTo && by.validTo < holdsUntil);
    const times = isOver ? { validTo: holdsUntil, supersededBy: null } : by;
    const fact = {
      ...factOf(row),
      validTo: times?.validTo ?? null,
      supersededBy: times?.supersededBy ?? null,
    };
    const { id, validTo, supersededBy } = fact;
    const text = describeFact(fact, row.speaker ?? 'The person');
    await tx.memory.update({
      where: { id },
      data: { text, validTo, supersededBy, indexedIn: null },
      select: { id: true },
    });
  }
}

/** Finds the last of the rows that ended a fact, one after the other; none where they name each other. */
function lastToEnd(row: MemoryRow, gone: ReadonlyMap<string, Removed>): Removed | undefined {
  const seen = new Set<string>();
  let by = gone.get(row.supersededBy ?? '');
  while (by?.supersededBy && gone.has(by.supersededBy)) {
    if (seen.has(by.id)) return undefined;
    seen.add(by.id);
    by = gone.get(by.supersededBy);
  }
  return by;
}
