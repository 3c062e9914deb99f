import { sql } from '@kith/database';
import type { MemoryRow } from './memory-row.js';

/** Selects what the person said themself, for Prisma: of an import, lines under a name may be anybody's. */
export const OWN_WORDS = { OR: [{ writer: 'person' }, { writer: 'import', speaker: null }] };

/** SQL form of `OWN_WORDS`. */
export const ARE_OWN_WORDS = sql`(writer = 'person' OR writer = 'import' AND speaker IS NULL)`;

type WordedRow = Pick<MemoryRow, 'kind' | 'writer' | 'speaker'>;

/** Tells whether a memory is what the person said themself, under whichever name they had there, or a fact about them. */
export function isOwn({ kind, writer, speaker }: WordedRow): boolean {
  const isSaid = writer === 'person' || (writer === 'import' && speaker === null);
  return kind === 'fact' || (kind === 'episode' && isSaid);
}

/** Gives the name of whoever else said it; null for what is the person's own. */
export function otherSpeaker(row: WordedRow): string | null {
  return isOwn(row) ? null : row.speaker;
}
