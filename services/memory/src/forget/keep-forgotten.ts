import { UNDO_MS } from '@kith/contracts';
import { sql, type ForgetRecordModel, type RestoredRow, type SealedRows, type Tx } from '@kith/database';
import { forgetInCore } from '../core/edit-core.js';
import type { MemoryRow } from '../rows/memory-row.js';
import { isMade, REMOVED, removeMemories, type DerivedRow } from './remove-memories.js';

/** The part of an order to forget that names what it covers. */
type Order = Pick<
  ForgetRecordModel,
  'companionId' | 'sources' | 'everything' | 'saidFrom' | 'saidTo' | 'revision' | 'removed'
>;

/** A row that an order may name. */
interface NameableRow {
  id: string;
  companionId: string;
  sources: readonly string[];
  at: Date;
  /** True for a derived row, which an edit of its messages removes. */
  isMade: boolean;
  /** Time from which on the person's own line is known, said or stored; null for all else. */
  lineSince: Date | null;
}

/** Tells whether an order to forget covers a row. Pure. */
function names(order: Order, { id, companionId, sources, at, isMade, lineSince }: NameableRow): boolean {
  // It was there, as the earlier order had only changed it; without messages it is known by nothing else.
  if (order.removed.includes(id)) return true;
  if (order.companionId !== null && order.companionId !== companionId) return false;
  const { saidFrom, saidTo } = order;
  // The person's own line stays where everything was forgotten late, and it came after the order was given.
  if (order.everything && (saidTo === null || lineSince === null || lineSince <= saidTo)) return true;
  if (saidFrom !== null && saidTo !== null && saidFrom <= at && at < saidTo) return true;
  return (isMade || order.revision === null) && sources.some((source) => order.sources.includes(source));
}

function nameable(row: DerivedRow & Pick<MemoryRow, 'companionId' | 'createdAt'>): NameableRow {
  const { kind, writer, saidAt, createdAt } = row;
  const since = saidAt < createdAt ? saidAt : createdAt;
  const lineSince = kind === 'episode' && writer === 'person' ? since : null;
  return { ...row, at: saidAt, isMade: isMade(row), lineSince };
}

/**
 * Removes restored rows that a later order covers. That order found nothing to remove while the rows were sealed. They
 * are sealed for it now, and its own undo restores them.
 */
export async function keepForgotten(
  tx: Tx,
  sealed: SealedRows,
  { id, personId, at }: Pick<ForgetRecordModel, 'id' | 'personId' | 'at'>,
  restored: ReadonlyMap<string, readonly RestoredRow[]>,
): Promise<void> {
  const later = await tx.forgetRecord.findMany({
    where: { personId, id: { not: id }, at: { gte: at } },
    orderBy: { at: 'asc' },
  });
  if (later.length === 0) return;
  const ids = (relation: string) => (restored.get(relation) ?? []).map((row) => String(row['id']));
  let rows = await tx.memory.findMany({
    where: { personId, id: { in: ids('memories') } },
    select: { ...REMOVED, companionId: true, createdAt: true },
  });
  let tasks = await tx.task.findMany({ where: { personId, id: { in: ids('tasks') } } });
  for (const order of later) {
    const gone = rows.filter((row) => names(order, nameable(row)));
    const over = tasks.filter((task) =>
      names(order, { ...task, at: task.createdAt, isMade: true, lineSince: null }),
    );
    [rows, tasks] = [without(rows, gone), without(tasks, over)];
    // An edit of messages has no undo.
    const until = order.revision === null ? new Date(order.at.getTime() + UNDO_MS) : null;
    const sealing = { orderId: order.id, personId, until };
    if (gone.length > 0) {
      const made = gone.filter(isMade);
      const goneIds = gone.map((row) => row.id);
      // An older copy, of a fact that was revived meanwhile, is deleted: the undo restores the fact as it is now.
      await sealed.burn(tx, sql`order_id = ${order.id}::uuid AND row ->> 'id' = ANY (${goneIds}::text[])`);
      await removeMemories(
        tx,
        { personId },
        { removed: gone, made, named: gone },
        { rows: sealed, order: sealing },
      );
      const removed = { push: goneIds };
      await tx.forgetRecord.update({ where: { id: order.id }, data: { removed, pending: removed } });
    }
    if (over.length > 0)
      await sealed.remove(tx, sealing, 'tasks', sql`gone.id = ANY (${over.map((task) => task.id)}::uuid[])`);
    for (const block of restored.get('core_blocks') ?? []) await forgetInBlock(tx, order, block);
  }
}

function without<T>(all: readonly T[], gone: readonly T[]): T[] {
  const isGone = new Set(gone);
  return all.filter((one) => !isGone.has(one));
}

/**
 * Removes from a restored block what a later order covers. The copy that the order sealed is first set to the restored
 * block: otherwise its undo would remove again what was restored.
 */
async function forgetInBlock(tx: Tx, order: ForgetRecordModel, block: RestoredRow): Promise<void> {
  const { id: orderId, personId } = order;
  const companionId = String(block['companion_id']);
  if (order.companionId !== null && order.companionId !== companionId) return;
  const where = { personId, companionId, audience: String(block['audience']), label: String(block['label']) };
  await tx.$executeRaw`
    UPDATE memory_sealed_rows AS sealed SET row = to_jsonb(block) FROM core_blocks AS block
    WHERE sealed.order_id = ${orderId}::uuid AND sealed.person_id = ${personId}::uuid
      AND sealed.relation = 'core_blocks' AND sealed.row @> to_jsonb(block) - 'text' - 'origins'
      AND block.person_id = ${personId}::uuid AND block.companion_id = ${companionId}
      AND block.audience = ${where.audience} AND block.label = ${where.label}`;
  if (order.everything) await tx.coreBlock.deleteMany({ where });
  else await forgetInCore(tx, where, order.sources);
}
