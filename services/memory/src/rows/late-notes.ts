import { AppError } from '@kith/contracts';
import type { Reader, Tx } from '@kith/database';
import { readPrivateTimes } from './private-times.js';

/** Person whose words a note comes from, and the companion; undefined where any companion may have heard of it. */
interface Pair {
  personId: string;
  companionId?: string | undefined;
}

/** Note that is about to be kept, and what it comes from. */
interface Note extends Pair {
  /** Messages that it goes back to. */
  sources: readonly string[];
  /** Receipt of the message that is answered: what was forgotten before it, the turn was told knowingly. */
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
 * Tells why a companion may not note something: they talk in private, or what it goes back to was forgotten while it
 * thought. Null where it may.
 */
export async function whyNotNoted(reader: Reader, note: Note): Promise<string | null> {
  if ((await readPrivateTimes(reader, note.personId))(new Date()))
    return 'they talk in private: nothing is noted now';
  const gone = await forgottenAmong(reader, note, note.sources, note.begunAt);
  return gone.size > 0 || (await wasForgottenSince(reader, note))
    ? 'what this goes back to was forgotten meanwhile'
    : null;
}

/** Tells whether the time at which a turn began was forgotten since: its own messages have no memory yet to name. */
async function wasForgottenSince(reader: Reader, { personId, companionId, begunAt }: Note): Promise<boolean> {
  if (begunAt === undefined) return false;
  const begun = new Date(begunAt);
  const companion = companionId ?? null;
  const [row] = await reader.$queryRaw<{ isGone: boolean }[]>`
    SELECT EXISTS (
      SELECT 1 FROM forget_records
      WHERE person_id = ${personId}::uuid AND revision IS NULL AND at >= ${begun}
        AND (everything OR said_from <= ${begun} AND said_to > ${begun})
        AND (${companion}::text IS NULL OR companion_id IS NULL OR companion_id = ${companion})
    ) AS "isGone"`;
  return row?.isGone === true;
}

/**
 * Finds those of some messages that a person had forgotten, or deleted where they wrote them.
 * @param since leaves out what was forgotten before
 */
export async function forgottenAmong(
  reader: Reader,
  { personId, companionId }: Pair,
  sources: readonly string[],
  since?: string,
): Promise<Set<string>> {
  if (sources.length === 0) return new Set();
  const companion = companionId ?? null;
  const rows = await reader.$queryRaw<{ source: string }[]>`
    SELECT DISTINCT source FROM forget_records AS record CROSS JOIN LATERAL unnest(record.sources) AS gone(source)
    WHERE person_id = ${personId}::uuid AND revision IS NULL AND record.sources && ${sources}::text[]
      AND (${companion}::text IS NULL OR companion_id IS NULL OR companion_id = ${companion})
      AND source = ANY (${sources}::text[])
      AND (${since ?? null}::timestamptz IS NULL OR at >= ${since ?? null}::timestamptz)`;
  return new Set(rows.map(({ source }) => source));
}
