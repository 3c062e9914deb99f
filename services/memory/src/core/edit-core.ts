import { AppError, type CoreBlock, type MemoryRequest } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import { editBlock } from './edit-block.js';
import { forgetInBlock, Origin, originsAfter } from './forget-in-block.js';
import { noteEffect } from '../rows/effects.js';
import { refuseLateNote } from '../rows/late-notes.js';
import { lockPerson } from '../rows/memory-row.js';

/**
 * Blocks of a person with a companion, emptied ones too: two in each of the 500 channels that a server of Discord has at
 * most. Their owner reads all of them at once, up to a megabyte.
 */
const MAX_BLOCKS = 1_000;

/**
 * Changes one block of core memory, which every prompt carries, and makes it where there is none yet.
 * @throws AppError see `editBlock` and `refuseLateNote`; `invalid_request` where there are too many, too
 */
export function editCore(database: Database, request: MemoryRequest<'editCore'>): Promise<CoreBlock> {
  const { personId, companionId, audience, label, by, edit, sources, key: call } = request;
  return database.asPerson(personId, async (tx) => {
    await lockPerson(tx, personId);
    await refuseLateNote(tx, request);
    const key = { personId, companionId, audience, label };
    const where = { personId_companionId_audience_label: key };
    const held = await tx.coreBlock.findUnique({ where });
    if (!(await noteEffect(tx, personId, call))) {
      const updatedAt = (held?.updatedAt ?? new Date()).toISOString();
      return { label, text: held?.text ?? '', audience, updatedBy: by, updatedAt };
    }
    const before = { text: held?.text ?? '', origins: Origin.array().parse(held?.origins ?? []) };
    const text = editBlock(before.text, request);
    const origins = originsAfter(before, edit, text, sources);
    const data = { text, updatedBy: by, updatedAt: new Date(), origins };
    if (held) await tx.coreBlock.update({ where, data });
    else if (text !== '') {
      // The operator writes one block of each person.
      if (by !== 'operator') await refuseTooMany(tx, { personId, companionId });
      await tx.coreBlock.create({ data: { ...key, ...data } });
    }
    return { label, text, audience, updatedBy: by, updatedAt: data.updatedAt.toISOString() };
  });
}

/** @throws AppError `invalid_request` */
async function refuseTooMany(tx: Tx, owned: { personId: string; companionId: string }): Promise<void> {
  if ((await tx.coreBlock.count({ where: owned })) < MAX_BLOCKS) return;
  throw new AppError(
    'invalid_request',
    `core memory has ${MAX_BLOCKS} blocks already, and no more: write into one that is there`,
    { field: 'audience' },
  );
}

/** Removes from a person's blocks, or from one of them, what was written for forgotten messages. */
export async function forgetInCore(
  tx: Tx,
  owned: { personId: string; companionId?: string; audience?: string; label?: string },
  forgotten: readonly string[],
): Promise<void> {
  for (const block of await tx.coreBlock.findMany({ where: owned })) {
    const origins = Origin.array().parse(block.origins);
    const after = forgetInBlock({ text: block.text, origins }, forgotten);
    if (after === null) continue;
    const { personId, companionId, audience, label } = block;
    const key = { personId, companionId, audience, label };
    await tx.coreBlock.update({ where: { personId_companionId_audience_label: key }, data: after });
  }
}
