import { columnOf, type Reader } from '@kith/database';
import type { MemoryRow } from './memory-row.js';

type OfSubject = Pick<MemoryRow, 'companionId' | 'audience' | 'contentHash'>;

/** Names what a reflection or a summary is of, as an order to forget keeps it: its hash is of that, and not of its words. */
export function subjectOf({ companionId, audience, contentHash }: OfSubject): string {
  return `${companionId} ${audience} ${contentHash}`;
}

/** Finds subjects whose notes somebody had forgotten, while the lines behind them were kept. */
export async function subjectsForgotten(
  reader: Reader,
  personId: string,
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  if (subjects.length === 0) return new Set();
  const forgotten = await columnOf(reader)`
    SELECT DISTINCT subject FROM forget_records, unnest(subjects) AS subject
    WHERE person_id = ${personId}::uuid AND subject = ANY (${subjects}::text[])`;
  return new Set(forgotten);
}
