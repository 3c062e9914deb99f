import { AppError } from '@kith/contracts';
import { columnOf, type Reader, type Tx } from '@kith/database';
import type { Owner } from './memory-scope.js';
import { wasPrivateSince } from './private-times.js';

/** Note that is about to be kept, and what it comes from; without a companion, any of them may have heard of that. */
interface Note extends Owner {
  /** Messages that it goes back to. */
  sources: readonly string[];
  /** Time at which the message that is answered was written, in a chat, or received: what was forgotten before it, the turn was told knowingly. */
  begunAt?: string | undefined;
}

/**
 * Refuses a companion's note that comes too late. To be called while the person's lock is held.
 * @throws AppError `conflict` with the reason of `whyNotNoted`
 */
export async function refuseLateNote(
  tx: Tx,
  { by, ...note }: Note & { by: 'companion' | 'operator' | 'person' },
): Promise<void> {
  const why = by === 'companion' ? await whyNotNoted(tx, note) : null;
  if (why !== null) throw new AppError('conflict', why);
}

/**
 * Tells why a companion may not note something: they talk in private, or did while it thought; or the source of the
 * note was forgotten or edited meanwhile. Null where it may.
 */
export async function whyNotNoted(reader: Reader, note: Note): Promise<string | null> {
  if (await isPrivateNote(reader, note)) return 'they talk in private: nothing is noted now';
  return (await isOutdatedNote(reader, note)) ? 'what this goes back to was forgotten meanwhile' : null;
}

/** Tells whether a note is of private talk: that may have begun or ended while the companion thought. */
export function isPrivateNote(reader: Reader, { personId, begunAt }: Pick<Note, 'personId' | 'begunAt'>) {
  return wasPrivateSince(reader, personId, begunAt === undefined ? new Date() : new Date(begunAt));
}

/** Tells whether something that a note goes back to was forgotten, or edited while the companion thought. */
export async function isOutdatedNote(reader: Reader, note: Note): Promise<boolean> {
  const gone = await forgottenAmong(reader, note, note.sources, note.begunAt);
  return gone.size > 0 || (await wasForgottenSince(reader, note));
}

/**
 * Tells whether the time at which something began was forgotten since: a turn, whose own messages have no memory yet to
 * name, or the reading of a document.
 */
export async function wasForgottenSince(
  reader: Reader,
  { personId, companionId, begunAt }: Omit<Note, 'sources'>,
): Promise<boolean> {
  if (begunAt === undefined) return false;
  const begun = new Date(begunAt);
  const companion = companionId ?? null;
  const gone = await columnOf(reader)`
    SELECT id FROM forget_records
    WHERE person_id = ${personId}::uuid AND revision IS NULL AND at >= ${begun}
      AND (everything OR said_from <= ${begun} AND said_to > ${begun})
      AND (${companion}::text IS NULL OR companion_id IS NULL OR companion_id = ${companion})
    LIMIT 1`;
  return gone.length > 0;
}

/**
 * Finds those of some messages that a person had forgotten, or deleted where they wrote them.
 * @param since leaves out what was forgotten before, and finds those that were edited from then on, too
 */
export async function forgottenAmong(
  reader: Reader,
  { personId, companionId }: Owner,
  sources: readonly string[],
  since?: string,
): Promise<Set<string>> {
  if (sources.length === 0) return new Set();
  const companion = companionId ?? null;
  const gone = await columnOf(reader)`
    SELECT DISTINCT source FROM forget_records AS record CROSS JOIN LATERAL unnest(record.sources) AS gone(source)
    WHERE person_id = ${personId}::uuid AND record.sources && ${sources}::text[]
      -- The revision 0 is of a message that is not answered yet, whose turn has its new words, or of a memory put right.
      AND (revision IS NULL OR revision > 0 AND ${since ?? null}::timestamptz IS NOT NULL)
      AND (${companion}::text IS NULL OR companion_id IS NULL OR companion_id = ${companion})
      AND source = ANY (${sources}::text[])
      AND (${since ?? null}::timestamptz IS NULL OR at >= ${since ?? null}::timestamptz)`;
  return new Set(gone);
}
