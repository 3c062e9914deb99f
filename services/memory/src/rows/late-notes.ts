import { AppError } from '@kith/contracts';
import type { Tx } from '@kith/database';
import { readPrivateTimes } from './private-times.js';

/** Note that is about to be kept, and the messages that it goes back to. */
interface Note {
  personId: string;
  /** Undefined where any companion may have heard of it. */
  companionId?: string | undefined;
  by: 'companion' | 'operator' | 'person';
  sources: readonly string[];
}

/**
 * Refuses a companion's note that comes too late. To be called while the person's lock is held.
 * @throws AppError `conflict` while they talk in private, and where a message of it was forgotten or deleted meanwhile
 */
export async function refuseLateNote(tx: Tx, { personId, companionId, by, sources }: Note): Promise<void> {
  if (by !== 'companion') return;
  if ((await readPrivateTimes(tx, personId))(new Date()))
    throw new AppError('conflict', 'they talk in private: nothing is noted now');
  const gone = await forgottenAmong(tx, { personId, companionId }, sources);
  if (gone.size > 0) throw new AppError('conflict', 'what this goes back to was forgotten meanwhile');
}

/** Finds those of some messages that a person had forgotten, or deleted where they wrote them. */
export async function forgottenAmong(
  tx: Tx,
  { personId, companionId }: Pick<Note, 'personId' | 'companionId'>,
  sources: readonly string[],
): Promise<Set<string>> {
  if (sources.length === 0) return new Set();
  const records = await tx.forgetRecord.findMany({
    where: {
      ...{ personId, revision: null, sources: { hasSome: [...sources] } },
      ...(companionId !== undefined && { OR: [{ companionId: null }, { companionId }] }),
    },
    select: { sources: true },
  });
  const forgotten = new Set(records.flatMap((record) => record.sources));
  return new Set(sources.filter((source) => forgotten.has(source)));
}
