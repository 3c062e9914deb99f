import type { MemoryRequest, MemoryAnswer } from '@kith/contracts';
import { type Database, type SealedRows, sql } from '@kith/database';
import { forgetInCore } from '../core/edit-core.js';
import { forgetTasks } from '../tasks/task-rows.js';
import type { Forgetter } from './forgetter.js';
import { isMade, removeMemories, tellsItsSources } from './remove-memories.js';
import { lockPerson } from '../rows/memory-row.js';

/**
 * Removes everything derived from a message that was edited or deleted after it was remembered, and sealed rows, too: an
 * undo must not restore words that are gone from where they were said. A record keeps late jobs from storing the old
 * words. A repeated order also returns what it removed before.
 */
export async function reviseMessage(
  { database, forgetting, sealed }: { database: Database; forgetting: Forgetter; sealed: SealedRows },
  { orderId, personId, companionId, source, revision }: MemoryRequest<'revise'>,
): Promise<MemoryAnswer<'revise'>> {
  const owned = { personId, companionId };
  const done = await database.asPerson(personId, async (tx) => {
    await lockPerson(tx, personId);
    const rows = await tx.memory.findMany({ where: { ...owned, sources: { has: source } } });
    const said = rows
      .filter((row) => row.kind === 'episode' && tellsItsSources(row))
      .flatMap(({ sources }) => sources);
    const made = rows.filter(isMade);
    await forgetInCore(tx, owned, [source]);
    const order = { orderId, personId, until: null };
    await forgetTasks(tx, sealed, order, { ...owned, sources: [source] });
    await removeMemories(tx, owned, { removed: rows, made, named: rows }, { rows: sealed, order });
    await sealed.burn(tx, sql`person_id = ${personId}::uuid AND jsonb_exists(row -> 'sources', ${source})`);
    // A repeated order finds little, so its earlier results are added.
    const before = await tx.forgetRecord.findUnique({ where: { id: orderId } });
    const pending = rows.map(({ id }) => id);
    const removed = [...new Set([...(before?.removed ?? []), ...pending])];
    const others = [...new Set([...(before?.others ?? []), ...said.filter((other) => other !== source)])];
    const kept = { everything: false, sources: { set: [source] }, revision };
    const found = { removed: { set: removed }, others: { set: others } };
    await tx.forgetRecord.upsert({
      where: { id: orderId },
      create: { id: orderId, ...owned, ...kept, ...found, pending: { set: pending } },
      update: { pending: { push: pending }, ...found },
    });
    return { memoryIds: removed, others };
  });
  await forgetting.deleteReachablePoints(personId);
  return done;
}
