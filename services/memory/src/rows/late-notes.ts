import { AppError } from '@kith/contracts';
import type { Reader, Tx } from '@kith/database';
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
  reader: Reader,
  { personId, companionId }: Pick<Note, 'personId' | 'companionId'>,
  sources: readonly string[],
): Promise<Set<string>> {
  if (sources.length === 0) return new Set();
  const companion = companionId ?? null;
  const rows = await reader.$queryRaw<{ source: string }[]>`
    SELECT DISTINCT source FROM forget_records AS record CROSS JOIN LATERAL unnest(record.sources) AS gone(source)
    WHERE person_id = ${personId}::uuid AND revision IS NULL AND record.sources && ${sources}::text[]
      AND (${companion}::text IS NULL OR companion_id IS NULL OR companion_id = ${companion})
      AND source = ANY (${sources}::text[])`;
  return new Set(rows.map(({ source }) => source));
}
