import { toJsonb, type Reader, type TurnLedger, type Writer } from '@kith/database';
import { comesBack } from './plan-episodes.js';
import type { PreparedPoints, ToIndex } from '../index/index-writer.js';
import { lockPerson } from '../rows/memory-row.js';
import { readPrivateTimes } from '../rows/private-times.js';
import { MAX_A_DAY } from '../words/decide-write.js';
import type { DailyCount } from './daily-count.js';
import {
  MAX_SOURCES,
  type Draft,
  type EpisodePlan,
  type KnownOfPlace,
  type NewEpisode,
  type Place,
  type Refusal,
  type Twin,
} from './plan-episodes.js';

/**
 * Locks the person, notes the place's turns as handled, and reads what decides about its drafts. All statements are
 * given at once, and carried out one after the other.
 */
export async function readKnown(
  tx: Writer,
  { personId, companionId, audience, turns, drafts }: Place,
  { ledger, counts }: { ledger: TurnLedger; counts: DailyCount },
): Promise<KnownOfPlace> {
  const hashes = drafts.map(({ contentHash }) => contentHash);
  const [, newTurns, refusals, isPrivate, keptToday, twins] = await Promise.all([
    lockPerson(tx, personId),
    ledger.noteAll(tx, personId, turns),
    readRefusals(tx, { personId, companionId }, drafts),
    readPrivateTimes(tx, personId),
    counts.today(personId, new Date(), (since) => countEpisodes(tx, personId, since)),
    tx.$queryRaw<Twin[]>`
      SELECT id, content_hash AS "contentHash", said_at AS "saidAt", sources, shelf FROM memories
      WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience}
        AND kind = 'episode' AND content_hash = ANY (${hashes}::text[])`,
  ]);
  return { newTurns: new Set(newTurns), refusals, isPrivate, keptToday, twins };
}

/** Counts what was kept of a person's talk since a time, as far as a bound needs it. Imports have no bound. */
async function countEpisodes(reader: Reader, personId: string, since: Date): Promise<number> {
  const [row] = await reader.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM memories
      WHERE person_id = ${personId}::uuid AND kind = 'episode' AND writer = 'person' AND created_at >= ${since}
      LIMIT ${MAX_A_DAY}
    ) AS said`;
  return row?.count ?? 0;
}

/** Reads what the person had forgotten, or changed, of these messages and of all they say to this companion. */
function readRefusals(
  reader: Reader,
  { personId, companionId }: Pick<Place, 'personId' | 'companionId'>,
  drafts: readonly Draft[],
): Promise<Refusal[]> {
  const sources = drafts.flatMap((draft) => draft.sources);
  return reader.$queryRaw<Refusal[]>`
    SELECT sources, everything, said_from AS "saidFrom", said_to AS "saidTo", revision, at FROM forget_records
    WHERE person_id = ${personId}::uuid AND (companion_id IS NULL OR companion_id = ${companionId})
      AND (everything OR said_from IS NOT NULL OR sources && ${sources}::text[])`;
}

/** Rows of a place as they were stored. */
export interface SavedEpisodes {
  personId: string;
  companionId: string;
  fresh: readonly NewEpisode[];
  /** Rows that are still to be indexed. */
  toIndex: readonly ToIndex[];
  mayLackMore: boolean;
  holdsAny: boolean;
  /** To be called when it is committed. */
  isCommitted: () => void;
}

/** Inserts new episodes with their points, where those are prepared, and adds a source to known ones. */
export async function saveEpisodes(
  tx: Writer,
  plan: EpisodePlan,
  prepared: PreparedPoints | null,
): Promise<SavedEpisodes> {
  const { personId, companionId, fresh, again, mayLackMore } = plan;
  const open = fresh.filter(({ shelf }) => shelf === 'open');
  const [, isCommitted] = await Promise.all([
    insertEpisodes(tx, plan),
    prepared?.write(tx, personId, open),
    ...again.map(({ twin, draft }) => addSource(tx, twin, draft)),
  ]);
  return {
    ...{ personId, companionId, fresh, mayLackMore },
    toIndex: prepared ? [] : open,
    holdsAny: mayLackMore || fresh.length + again.length > 0,
    isCommitted: isCommitted ?? (() => undefined),
  };
}

async function insertEpisodes(
  tx: Writer,
  { personId, companionId, audience, fresh }: EpisodePlan,
): Promise<void> {
  if (fresh.length === 0) return;
  const rows = fresh.map(({ id, text, importance, sources, speaker, conversation, shelf, ...row }) => ({
    ...{ id, text, importance, sources, speaker, conversation, shelf },
    ...{ content_hash: row.contentHash, said_at: row.saidAt, turn_id: row.turnId },
    ...{ shelf_reason: row.shelfReason, indexed_in: row.indexedIn },
  }));
  await tx.$executeRaw`
    INSERT INTO memories (id, person_id, companion_id, audience, kind, writer, text, content_hash, importance, said_at,
      sources, turn_id, conversation, speaker, shelf, shelf_reason, indexed_in)
    SELECT id, ${personId}::uuid, ${companionId}, ${audience}, 'episode', 'person', text, content_hash, importance,
      said_at, sources, turn_id, conversation, speaker, shelf, shelf_reason, indexed_in
    FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS draft (id uuid, text text, content_hash text,
      importance float8, said_at timestamptz, sources text[], turn_id uuid, conversation text, speaker text,
      shelf text, shelf_reason text, indexed_in text)`;
}

/** Notes that a memory was said once more, which brings it back to the open shelf and has it read again. */
async function addSource(tx: Writer, twin: Twin, draft: Draft): Promise<void> {
  const sources = [...new Set([...twin.sources, ...draft.sources])].slice(-MAX_SOURCES);
  const isLater = draft.saidAt > twin.saidAt;
  const isBack = comesBack(twin, draft.saidAt);
  // Who says "I live in Paris" again may have been elsewhere meanwhile: it is read again.
  await tx.$executeRaw`
    UPDATE memories SET sources = ${sources}::text[], read_at = NULL,
      said_at = CASE WHEN ${isLater} THEN ${draft.saidAt}::timestamptz ELSE said_at END,
      turn_id = CASE WHEN ${isLater} THEN ${draft.turn.turnId}::uuid ELSE turn_id END,
      shelf_reason = CASE WHEN ${isBack} THEN NULL ELSE shelf_reason END,
      shelf = CASE WHEN ${isBack} THEN 'open' ELSE shelf END
    WHERE id = ${twin.id}::uuid`;
}
