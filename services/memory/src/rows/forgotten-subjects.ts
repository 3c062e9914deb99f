import type { Reader } from '@kith/database';
import type { MemoryRow } from './memory-row.js';

type OfSubject = Pick<MemoryRow, 'companionId' | 'audience' | 'contentHash'>;

/** Names what a reflection or a summary is of, as an order to forget keeps it: its hash is of that, and not of its words. */
export function subjectOf({ companionId, audience, contentHash }: OfSubject): string {
  return `${companionId} ${audience} ${contentHash}`;
}

/** Tells whether somebody forgot what was written of a subject, and kept the lines that it was of. */
export async function isSubjectForgotten(
  reader: Reader,
  { personId, ...of }: OfSubject & Pick<MemoryRow, 'personId'>,
): Promise<boolean> {
  const [row] = await reader.$queryRaw<{ isForgotten: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM forget_records WHERE person_id = ${personId}::uuid AND ${subjectOf(of)} = ANY (subjects)
    ) AS "isForgotten"`;
  return row?.isForgotten === true;
}
