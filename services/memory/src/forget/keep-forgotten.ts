import { randomUUID } from 'node:crypto';
import type { ForgetRecordModel, RestoredRow, SealedRows, Tx } from '@kith/database';
import { forgetInCore } from '../core/core.service.js';
import { isMade, REMOVED, takeAway } from './take-away.js';

/** An order to forget, as far as it says what it names. */
type Order = Pick<
  ForgetRecordModel,
  'companionId' | 'sources' | 'everything' | 'saidFrom' | 'saidTo' | 'revision'
>;

/** A row that an order may name. */
interface Named {
  companionId: string;
  sources: readonly string[];
  at: Date;
  /** True for what was made of messages, and so is gone where their words have changed. */
  isMade: boolean;
}

/** Tells whether an order to forget names a row. Pure. */
function names(order: Order, { companionId, sources, at, isMade }: Named): boolean {
  if (order.companionId !== null && order.companionId !== companionId) return false;
  if (order.everything) return true;
  const { saidFrom, saidTo } = order;
  if (saidFrom !== null && saidTo !== null && saidFrom <= at && at < saidTo) return true;
  return (isMade || order.revision === null) && sources.some((source) => order.sources.includes(source));
}

/**
 * Removes again what the undo of an order put back although a later order names it. That one still stands: it found
 * nothing to remove while the rows lay sealed.
 */
export async function keepForgotten(
  tx: Tx,
  sealed: SealedRows,
  { id, personId, at }: Pick<ForgetRecordModel, 'id' | 'personId' | 'at'>,
  restored: ReadonlyMap<string, readonly RestoredRow[]>,
): Promise<void> {
  const later = await tx.forgetRecord.findMany({
    where: {
      ...{ personId, id: { not: id }, at: { gte: at } },
      OR: [{ everything: true }, { saidFrom: { not: null } }, { sources: { isEmpty: false } }],
    },
  });
  if (later.length === 0) return;
  const isNamed = (row: Named) => later.some((order) => names(order, row));
  const backIn = (relation: string) => restored.get(relation) ?? [];
  const ids = (relation: string) => backIn(relation).map((row) => String(row['id']));

  const rows = await tx.memory.findMany({
    where: { personId, id: { in: ids('memories') } },
    select: { ...REMOVED, companionId: true, saidAt: true },
  });
  const gone = rows.filter((row) => isNamed({ ...row, at: row.saidAt, isMade: isMade(row) }));
  if (gone.length > 0) {
    const order = { orderId: randomUUID(), personId, until: null };
    const made = gone.filter(isMade);
    await takeAway(tx, { personId }, { removed: gone, made, named: gone }, { rows: sealed, order });
    const pending = gone.map((row) => row.id);
    await tx.forgetRecord.create({ data: { personId, everything: false, sources: [], pending } });
  }

  const tasks = await tx.task.findMany({ where: { personId, id: { in: ids('tasks') } } });
  const over = tasks.filter((task) => isNamed({ ...task, at: task.createdAt, isMade: true }));
  await tx.task.deleteMany({ where: { id: { in: over.map((task) => task.id) } } });

  for (const block of backIn('core_blocks')) {
    const companionId = String(block['companion_id']);
    const own = later.filter((each) => each.companionId === null || each.companionId === companionId);
    const where = {
      personId,
      companionId,
      audience: String(block['audience']),
      label: String(block['label']),
    };
    const sources = own.flatMap((each) => each.sources);
    if (own.some(({ everything }) => everything)) await tx.coreBlock.deleteMany({ where });
    else await forgetInCore(tx, where, sources);
  }
}
