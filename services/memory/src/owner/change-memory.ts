import {
  AppError,
  MAX_FORMER_HASHES,
  type MemoryChange,
  type MemoryView,
  type MemoryRequest,
} from '@kith/contracts';
import type { Prisma } from '@kith/database';
import { rewordFacts } from '../facts/chosen-name.js';
import { correctedFact } from '../facts/corrected-fact.js';
import { factHashOf, factOf } from '../facts/fact-records.js';
import { removeMade } from '../forget/remove-memories.js';
import { contentHashOf } from '../words/content-hash.js';
import { lockPerson, viewOf, type MemoryRow } from '../rows/memory-row.js';
import { orderAfterChange, type ChangeParts } from './order-after-change.js';

/**
 * Corrects, pins or releases a memory, as its owner asks. What is released is read for facts and indexed as if it were new.
 * @throws AppError `not_found` for one that is not this person's, `conflict` when the words are kept already
 */
export async function changeMemory(
  parts: ChangeParts,
  { personId, id, change }: MemoryRequest<'change'>,
): Promise<MemoryView> {
  const { row, lostSummaries } = await parts.database.asPerson(personId, async (tx) => {
    await lockPerson(tx, personId);
    const held = await tx.memory.findUnique({ where: { id } });
    if (held?.personId !== personId) throw new AppError('not_found', 'there is no such memory of yours');
    const { data, contentHash, isReread, isReworded } = planChange(held, change);
    const { companionId, audience } = held;
    const twin = await tx.memory.findFirst({
      where: { personId, companionId, audience, contentHash, NOT: { id } },
    });
    if (twin) throw new AppError('conflict', 'another memory says just that', { field: 'text' });
    const words = change.text ?? held.text;
    const lostSummaries = isReread ? await removeMade(tx, held, words, parts.sealed) : [];
    const changed = await tx.memory.update({ where: { id }, data });
    if (!isReworded) return { row: changed, lostSummaries };
    await rewordFacts(tx, { personId, companionId });
    return { row: await tx.memory.findUniqueOrThrow({ where: { id } }), lostSummaries };
  });
  const isToRead = row.kind === 'episode' && row.readAt === null;
  await orderAfterChange(parts, row, { lostSummaries, isToRead });
  return viewOf(row);
}

/** Decides what a row keeps after a change, and what goes with its former words. Pure. */
function planChange(held: MemoryRow, { text, pinned, shelf }: MemoryChange) {
  const content = text === undefined ? {} : contentOf(held, text);
  const isTextOrShelf = text !== undefined || shelf !== undefined;
  const isFact = held.attribute !== null;
  // Facts read from the old words are removed, and the new words are read.
  const isReread = held.kind === 'episode' && isTextOrShelf;
  return {
    contentHash: { ...held, ...content }.contentHash,
    isReread,
    // A name that holds again, or was corrected, changes the sentences of all facts.
    isReworded: isFact && isTextOrShelf,
    data: {
      ...(pinned !== undefined && { pinned }),
      ...(shelf !== undefined && { shelf, shelfReason: null }),
      // It is kept beside its correction: the owner says which one holds.
      ...(held.shelf === 'withdrawn' && shelf !== undefined && { supersededBy: null }),
      ...(isReread && { readAt: null }),
      // Its own words now, whatever they were before: the owner is sure of them.
      ...(text !== undefined && {
        ...content,
        text,
        isSure: true,
        ...(isFact && { wording: text, writer: 'person' }),
      }),
      ...(isTextOrShelf && { indexedIn: null }),
    },
  };
}

/**
 * Reads what a memory keeps by its corrected words. A fact that says the same in other words keeps its hash, and a
 * summary its own, by which the next night finds it, and leaves it as its owner has it.
 */
function contentOf(held: MemoryRow, text: string): Prisma.MemoryUpdateInput & Pick<MemoryRow, 'contentHash'> {
  const { contentHash, formerHashes, sources } = held;
  if (held.kind === 'reflection')
    return {
      contentHash,
      writer: 'person',
      ...(held.sentences !== null && { sentences: [{ text, sources }] }),
    };
  if (held.attribute === null) return { contentHash: contentHashOf(text) };
  const now = correctedFact(held, text);
  if (now.attribute === held.attribute && now.value === held.value) return { contentHash };
  return {
    ...now,
    contentHash: factHashOf({ ...factOf(held), ...now }),
    formerHashes: { set: [...formerHashes, contentHash].slice(-MAX_FORMER_HASHES) },
  };
}
