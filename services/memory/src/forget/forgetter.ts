import { inParts, isUnavailable, type MemoryAnswer } from '@kith/contracts';
import { sealOrderOf, type Database, type SealedRows, type Tx, sql, type Sql } from '@kith/database';
import { oneByOne } from '@kith/messaging';
import { forgetInCore } from '../core/edit-core.js';
import { forgetTasks } from '../tasks/task-rows.js';
import type { VectorIndex } from '../index/vector-index.js';
import { subjectOf } from '../rows/forgotten-subjects.js';
import { COLUMNS, lockPerson, viewOf, type MemoryRow } from '../rows/memory-row.js';
import { chooseRemoved, messagesOf } from './choose-removed.js';
import { ownedBy, sealedOf, tasksOf, whichOf, type ForgetRequest } from './forget-request.js';
import { leaveShared } from './leave-shared.js';
import { isMade, removeMemories } from './remove-memories.js';

type ForgetAnswer = MemoryAnswer<'forget'>;

/** Points that are deleted in one request: Qdrant takes their ids in the body. */
const MAX_DELETE = 500;
/** Memories that a preview shows: more than anybody reads before they decide. */
const MAX_SHOWN = 50;

/** Removes memories: first the rows, which are the source of truth, then the points in the index. */
export class Forgetter {
  constructor(
    private readonly database: Database,
    private readonly index: VectorIndex,
    private readonly sealed: SealedRows,
  ) {}

  /**
   * Removes what a request names, and leaves a record so that a late job does not store it again. A repeated order
   * returns the same.
   */
  async forget(request: ForgetRequest): Promise<ForgetAnswer> {
    const { personId } = request;
    if (request.preview) return this.preview(request);
    const { removed, sources, others } = await this.database.asPerson(personId, async (tx) => {
      await lockPerson(tx, personId);
      const before = await tx.forgetRecord.findUnique({ where: { id: request.orderId } });
      return before ?? (await this.remove(tx, request));
    });
    const points = await this.deleteReachablePoints(personId);
    return { rows: removed.length, points, memories: [], sources, memoryIds: removed, others };
  }

  private preview(request: ForgetRequest): Promise<ForgetAnswer> {
    const { personId } = request;
    return this.database.asPerson(personId, async (tx) => {
      const { removed, covering } = await chooseRemoved(tx, request);
      const memoryIds = removed.map(({ id }) => id);
      const shown = await tx.$queryRaw<MemoryRow[]>`
        SELECT ${COLUMNS} FROM memories AS row
        WHERE person_id = ${personId}::uuid AND id = ANY (${memoryIds}::uuid[])
        ORDER BY said_at DESC, id LIMIT ${MAX_SHOWN}`;
      return {
        rows: removed.length,
        points: 0,
        memories: shown.map(viewOf),
        sources: messagesOf(covering),
        memoryIds,
        others: [],
      };
    });
  }

  /**
   * Deletes the points of a person's removed rows. Where the index is out of reach it returns 0 and upkeep deletes them
   * later: recall shows no point without its row, and the caller has other stores to clear. Returns the number of
   * points.
   */
  async deleteReachablePoints(personId: string): Promise<number> {
    try {
      return await this.deletePendingPoints(personId);
    } catch (error) {
      if (isUnavailable(error)) return 0;
      throw error;
    }
  }

  /** Deletes the points of a person's removed rows. Returns the number of points. @throws AppError `unavailable` */
  async deletePendingPoints(personId: string): Promise<number> {
    const open = await this.database.asPerson(personId, (tx) =>
      tx.forgetRecord.findMany({ where: { personId, pending: { isEmpty: false } } }),
    );
    let points = 0;
    for (const { id, pending } of open) {
      for (const ids of inParts(pending, MAX_DELETE)) points += await this.index.delete(personId, { ids });
      await this.database.asPerson(personId, async (tx) => {
        // `updateMany` does not fail where an undo has deleted the record meanwhile.
        await tx.forgetRecord.updateMany({ where: { id }, data: { pending: { set: [] } } });
        await deleteEmptyRecord(tx, id);
      });
    }
    return points;
  }

  /**
   * Deletes the points that earlier removals of any person could not.
   * @param onFault called with an error that keeps one person's points; the others' are still deleted
   * @throws AppError `unavailable`
   */
  async deleteAllPendingPoints(onFault: (error: unknown) => void): Promise<void> {
    const open = await this.database.reader('system').$queryRaw<{ personId: string }[]>`
      SELECT DISTINCT person_id::text AS "personId" FROM forget_records WHERE pending <> '{}'`;
    for (const { personId } of open)
      await this.deletePendingPoints(personId).catch((error: unknown) => {
        if (isUnavailable(error)) throw error;
        onFault(error);
      });
  }

  private async remove(tx: Tx, request: ForgetRequest) {
    const { personId, companionId, what, saidAfter } = request;
    // Chunks that another document shares, even one added after the order, stay with that document.
    if (what.kind === 'sources') await oneByOne(what.sources, (source) => leaveShared(tx, personId, source));
    const subjects = await subjectsNamed(tx, request);
    const { removed, others } = await this.removeRows(tx, request);
    // Ids without a row are noted, too: an earlier attempt may have left their points. Among pinned ones some stay.
    const ids = what.kind === 'ids' && !request.isRetention ? what.ids : [];
    const named = what.kind === 'sources' ? what.sources : [];
    return tx.forgetRecord.create({
      data: {
        id: request.orderId,
        personId,
        companionId,
        everything: what.kind === 'all',
        ...(what.kind === 'all' && saidAfter && { saidTo: new Date(saidAfter.at) }),
        ...(what.kind === 'period' && { saidFrom: new Date(what.from), saidTo: new Date(what.to) }),
        pending: { set: [...new Set([...ids, ...removed.map(({ id }) => id)])] },
        removed: { set: removed.map(({ id }) => id) },
        subjects: { set: subjects },
        others: { set: others },
        sources: {
          set: [...new Set([...named, ...request.unread, ...removed.flatMap((row) => row.sources)])],
        },
      },
    });
  }

  private async removeRows(tx: Tx, request: ForgetRequest) {
    const owned = ownedBy(request);
    const { personId, what, isRetention = false } = request;
    const order = sealOrderOf(request);
    const { chosen, covering, lines, made, removed, messages } = await chooseRemoved(tx, request);
    // A core block may contain text from any of the removed messages.
    const core = this.coreOf(request);
    if (what.kind === 'all' || what.kind === 'place') {
      await this.sealed.remove(tx, order, 'core_blocks', core);
    } else {
      await this.sealed.copy(tx, order, 'core_blocks', core, CORE_KEY);
    }
    // Core memory of other places may contain text from these messages, too.
    if (what.kind !== 'all') await forgetInCore(tx, owned, what.kind === 'sources' ? what.sources : messages);
    await forgetTasks(tx, this.sealed, order, { ...owned, ...tasksOf(what, messages) });
    // Lines that stay are read again for what went with everything, and one that was put right stays withdrawn.
    const reopening =
      what.kind === 'all' ? { made: removed.filter(isMade), named: [] } : { made, named: chosen };
    const gone = { removed, ...reopening, staysOver: isRetention };
    await removeMemories(tx, owned, gone, { rows: this.sealed, order });
    // Without an undo, what earlier orders sealed of these messages, or of this place, is deleted for good, too.
    const sealed = order.until === null ? sealedOf(what) : null;
    if (sealed) await this.sealed.burn(tx, sql`person_id = ${personId}::uuid AND ${sealed}`);
    const own = new Set(covering.map(({ id }) => id));
    // A line may also have been said in messages that nobody named.
    const others = messagesOf(lines).filter((source) => !messages.includes(source));
    return { removed: removed.map((row) => (own.has(row.id) ? row : { ...row, sources: [] })), others };
  }

  private coreOf({ personId, companionId, what }: ForgetRequest): Sql {
    const own = sql`gone.person_id = ${personId}::uuid`;
    if (what.kind === 'place') return sql`${own} AND gone.audience = ${what.audience}`;
    return companionId === null ? own : sql`${own} AND gone.companion_id = ${companionId}`;
  }
}

/** Columns that identify a block for an undo: one that was edited since is left alone. */
const CORE_KEY = ['companion_id', 'audience', 'label', 'updated_at'];

/**
 * Lists the subjects of summaries that a person chose to forget. Summaries that are removed with their messages, by
 * retention, or by a search of words beside lines, are not listed: they may be written again from what is left.
 */
async function subjectsNamed(tx: Tx, request: ForgetRequest): Promise<string[]> {
  if (request.what.kind !== 'ids' || request.undoUntil === null) return [];
  const select = { kind: true, companionId: true, audience: true, contentHash: true };
  const named = await tx.memory.findMany({ where: whichOf(request), select });
  return named.every(({ kind }) => kind === 'reflection') ? named.map(subjectOf) : [];
}

/**
 * Deletes a record that names nothing any more, as each night's merging leaves some. One whose order has sealed rows is
 * read by its undo.
 */
async function deleteEmptyRecord(tx: Tx, id: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM forget_records AS record
    WHERE id = ${id}::uuid AND NOT everything AND said_from IS NULL AND sources = '{}' AND removed = '{}'
      AND subjects = '{}' AND others = '{}'
      AND NOT EXISTS (SELECT 1 FROM memory_sealed_rows AS sealed WHERE sealed.order_id = record.id)`;
}
