import { randomUUID } from 'node:crypto';
import { sql, type SealedRows, type SealOrder, type Tx } from '@kith/database';
import { forgetInCore } from '../core/edit-core.js';
import { rewordFacts } from '../facts/chosen-name.js';
import type { Owner } from '../rows/memory-scope.js';
import { outlasting } from '../facts/corrected-fact.js';
import { describeFact } from '../facts/describe-fact.js';
import { factOf } from '../facts/fact-records.js';
import { COLUMNS, type MemoryRow } from '../rows/memory-row.js';
import { OWN_WORDS } from '../rows/own-words.js';
import { forgetTasks } from '../tasks/task-rows.js';

export type RemovedRow = Pick<MemoryRow, 'id' | 'sources' | 'validTo' | 'supersededBy'>;
/** A row that was derived from messages to be forgotten. */
export type DerivedRow = RemovedRow &
  Pick<MemoryRow, 'kind' | 'writer' | 'wording' | 'attribute' | 'pinned' | 'saidAt'>;
/** Columns that are read of them. */
export const REMOVED = {
  id: true,
  kind: true,
  sources: true,
  validTo: true,
  supersededBy: true,
  writer: true,
  wording: true,
  attribute: true,
  pinned: true,
  saidAt: true,
} as const;

/**
 * Tells whether a row repeats its messages. A reflection names all messages of a day, and a companion's note all that
 * it may come from, and neither repeats most of them.
 */
export function tellsItsSources({ kind, writer, sources }: Pick<MemoryRow, 'kind' | 'writer' | 'sources'>) {
  const isNote = writer === 'companion' && sources.length > 1;
  return kind !== 'reflection' && !isNote;
}

/** Shelf of memories that were corrected or taken back. */
export const WITHDRAWN = 'withdrawn';

/** Columns that identify an ended fact for an undo: one that was told again since, or taken back, is left alone. */
const ENDED_KEY = ['id', 'said_at', 'shelf'];
/** Columns that identify a corrected memory for an undo: one that was told again since, or put right, is left alone. */
const WITHDRAWN_KEY = ['id', 'said_at', 'content_hash', 'wording'];

/** Rows to be removed, and why. */
interface Removal {
  removed: RemovedRow[];
  /** Derived rows among them. */
  made: DerivedRow[];
  /**
   * Rows that the person named, unlike those removed along with them: what a named row had corrected becomes open
   * again.
   */
  named: Pick<RemovedRow, 'id'>[];
  /**
   * True where nothing is taken back: what they had ended or corrected stays so, without its link to them, and no line is
   * read again.
   */
  staysOver?: boolean;
}

/** Tells whether a row was derived from messages, and is not their words. */
export function isMade({ kind, writer }: Pick<MemoryRow, 'kind' | 'writer'>): boolean {
  return kind === 'reflection' || kind === 'fact' || writer === 'companion';
}

/** Finds facts, reflections and companions' notes that were derived from these messages. */
export function madeOf(tx: Tx, owned: Owner, sources: string[]): Promise<DerivedRow[]> {
  const made = [{ kind: { in: ['reflection', 'fact'] } }, { writer: 'companion' }];
  return tx.memory.findMany({
    where: { ...owned, OR: made, sources: { hasSome: sources } },
    select: REMOVED,
  });
}

/** Finds the person's own lines that were said in these messages. */
export async function linesOf(tx: Tx, owned: Owner, sources: string[]): Promise<DerivedRow[]> {
  if (sources.length === 0) return [];
  const where = { ...owned, kind: 'episode', ...OWN_WORDS, sources: { hasSome: sources } };
  return tx.memory.findMany({ where, select: REMOVED });
}

/** Removes rows, and restores facts that the removed ones had ended, unless those stay over. */
export async function removeMemories(
  tx: Tx,
  owned: Owner,
  { removed, made, named, staysOver = false }: Removal,
  { rows, order }: { rows: SealedRows; order: SealOrder },
): Promise<void> {
  const among = (some: readonly Pick<RemovedRow, 'id'>[]) =>
    sql`gone.person_id = ${owned.personId}::uuid AND gone.id = ANY (${some.map(({ id }) => id)}::uuid[])`;
  if (staysOver) {
    const where = { ...owned, supersededBy: { in: removed.map(({ id }) => id) } };
    await tx.memory.updateMany({ where, data: { supersededBy: null } });
  } else {
    const asked = new Set(named.map(({ id }) => id));
    const ended = (await endedBy(tx, owned, removed)).filter(
      ({ shelf, supersededBy }) => shelf !== WITHDRAWN || asked.has(supersededBy ?? ''),
    );
    const isOver = ({ shelf }: MemoryRow) => shelf !== WITHDRAWN;
    await rows.copy(tx, order, 'memories', among(ended.filter(isOver)), ENDED_KEY);
    await rows.copy(tx, order, 'memories', among(ended.filter((row) => !isOver(row))), WITHDRAWN_KEY);
    await reviveFacts(tx, ended, removed);
    // Other messages may state a removed fact, too: they are read again.
    const alsoSaid = made.filter(({ kind }) => kind === 'fact').flatMap(({ sources }) => sources);
    await tx.memory.updateMany({
      where: { ...owned, kind: 'episode', sources: { hasSome: alsoSaid } },
      data: { readAt: null },
    });
  }
  await rows.remove(tx, order, 'memories', among(removed));
  // The sentences of other facts may contain a name that is forgotten now.
  await rewordFacts(tx, owned);
}

/**
 * Removes what was derived from the messages of a memory, so that it can be derived anew; what its owner put right stays
 * where the new words say of it what the old ones said. Upkeep deletes the points.
 * @param after its words from now on; null where it is taken back
 * @returns times of the days whose summaries went with it
 */
export async function removeMade(
  tx: Tx,
  { id, personId, companionId, sources, text, createdAt }: MemoryRow,
  after: string | null,
  sealed: SealedRows,
): Promise<Date[]> {
  const owned = { personId, companionId };
  const order = { orderId: randomUUID(), personId, until: null };
  await forgetInCore(tx, owned, sources);
  await forgetTasks(tx, sealed, order, { ...owned, sources });
  const candidates = (await madeOf(tx, owned, sources)).filter((row) => row.id !== id);
  const corrections = await correctionsAmong(tx, owned, candidates);
  const kept = new Set(after === null ? [] : outlasting(candidates, text, after).map((row) => row.id));
  const made = candidates.filter((row) => !corrections.has(row.id) && !kept.has(row.id));
  await removeMemories(tx, owned, { removed: made, made, named: [] }, { rows: sealed, order });
  const pending = made.map(({ id }) => id);
  const summarised = made.filter(({ kind }) => kind === 'reflection').map(({ saidAt }) => saidAt);
  // A topic may have been told of before the companion's first night; the day on which the memory came has one.
  const lostSummaries = summarised.length === 0 ? [] : [createdAt, ...summarised];
  // With revision 0 the record refuses no words. It tells an undo not to restore what was derived before.
  const record = { ...owned, everything: false, sources: { set: sources }, revision: 0 };
  await tx.forgetRecord.create({
    data: { ...record, pending: { set: pending }, lostSummaries: { set: lostSummaries } },
  });
  return lostSummaries;
}

/** Finds notes that corrected another memory: they stay, whatever their messages say. */
async function correctionsAmong(tx: Tx, owned: Owner, rows: readonly DerivedRow[]) {
  const notes = rows.filter(({ writer }) => writer === 'companion').map(({ id }) => id);
  const corrected = await tx.memory.findMany({
    where: { ...owned, shelf: WITHDRAWN, supersededBy: { in: notes } },
    select: { supersededBy: true },
  });
  return new Set(corrected.map(({ supersededBy }) => supersededBy));
}

/** Restores the facts that a memory had ended, when it is taken back. */
export async function reviveEndedBy(tx: Tx, row: RemovedRow & Pick<MemoryRow, 'personId'>): Promise<void> {
  const ended = await endedBy(tx, row, [row]);
  // A memory that it had corrected stays withdrawn, because it was wrong anyway.
  await reviveFacts(
    tx,
    ended.filter(({ shelf }) => shelf !== WITHDRAWN),
    [row],
  );
}

/**
 * Finds remaining facts that removed rows had ended, and memories that they had corrected. In SQL, because Prisma can't
 * split a long list of ids in `notIn`.
 */
function endedBy(tx: Tx, { personId }: Pick<Owner, 'personId'>, removed: readonly RemovedRow[]) {
  const gone = removed.map(({ id }) => id);
  return tx.$queryRaw<MemoryRow[]>`
    SELECT ${COLUMNS} FROM memories AS row
    WHERE person_id = ${personId}::uuid AND superseded_by = ANY (${gone}::uuid[]) AND id <> ALL (${gone}::uuid[])
      AND (kind = 'fact' OR shelf = ${WITHDRAWN})`;
}

/** Columns that this changes beside the sentence: an undo gives back those alone (`undo-forget.ts`). */
export const ENDING = ['valid_to', 'superseded_by', 'shelf', 'shelf_reason', 'indexed_in'];

/** Restores facts that a removed one had ended, up to the time at which the removed one was itself ended. */
async function reviveFacts(tx: Tx, ended: readonly MemoryRow[], removed: readonly RemovedRow[]) {
  const gone = new Map(removed.map((row) => [row.id, row]));
  for (const row of ended) {
    if (row.shelf === WITHDRAWN) {
      // Its correction is removed.
      const data = { shelf: 'open', shelfReason: null, supersededBy: null, indexedIn: null };
      await tx.memory.update({ where: { id: row.id }, data, select: { id: true } });
      continue;
    }
    const by = lastToEnd(row, gone);
    const { holdsUntil } = row;
    // A temporary fact holds until its own end, unless the removed one was ended sooner.
    const isOver = holdsUntil !== null && !(by?.validTo && by.validTo < holdsUntil);
    const times = isOver ? { validTo: holdsUntil, supersededBy: null } : by;
    const { validTo, supersededBy } = times ?? { validTo: null, supersededBy: null };
    const text = describeFact({ ...factOf(row), validTo, supersededBy }, row.speaker ?? 'The person');
    const data = { text, validTo, supersededBy, indexedIn: null };
    await tx.memory.update({ where: { id: row.id }, data, select: { id: true } });
  }
}

/** Finds the last removed row in the chain that ended a fact; none where the chain is a circle. */
function lastToEnd(row: MemoryRow, gone: ReadonlyMap<string, RemovedRow>): RemovedRow | undefined {
  const seen = new Set<string>();
  let by = gone.get(row.supersededBy ?? '');
  while (by?.supersededBy && gone.has(by.supersededBy)) {
    if (seen.has(by.id)) return undefined;
    seen.add(by.id);
    by = gone.get(by.supersededBy);
  }
  return by;
}
