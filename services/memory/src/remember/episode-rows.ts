import { columnOf, type Reader, type TurnLedger, type Writer } from '@kith/database';
import type { PreparedPoints, ToIndex } from '../index/index-writer.js';
import { insertRows, lockPerson } from '../rows/memory-row.js';
import type { MemoryScope } from '../rows/memory-scope.js';
import { ARE_OWN_WORDS } from '../rows/own-words.js';
import { readPrivateTimes } from '../rows/private-times.js';
import { MAX_A_DAY } from '../words/decide-write.js';
import type { DailyCount } from './daily-count.js';
import { comesBack, MAX_SOURCES, type Draft, type EpisodePlace, type EpisodePlan } from './plan-episodes.js';
import type { KeptEpisode, KnownOfPlace, Refusal, Twin } from './plan-episodes.js';

/**
 * Locks the person, notes the turns of a place as handled, and reads what the plan for its drafts needs. The statements
 * are sent together and run one after the other.
 */
export async function readKnown(
  tx: Writer,
  { personId, companionId, audience, turns, drafts }: EpisodePlace,
  { ledger, counts }: { ledger: TurnLedger; counts: DailyCount },
): Promise<KnownOfPlace> {
  const hashes = [...new Set(drafts.map(({ contentHash }) => contentHash))];
  const [, newTurns, refusals, isPrivate, keptToday, twins, kept] = await Promise.all([
    lockPerson(tx, personId),
    ledger.noteAll(tx, personId, turns),
    readRefusals(tx, { personId, companionId }, drafts),
    readPrivateTimes(tx, personId),
    counts.today(personId, new Date(), (since) => countEpisodes(tx, personId, since)),
    tx.$queryRaw<Twin[]>`
      SELECT id, content_hash AS "contentHash", said_at AS "saidAt", sources, shelf, kind, writer
      FROM unnest(${hashes}::text[]) AS draft (hash) CROSS JOIN LATERAL (
        SELECT * FROM memories
        WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience}
          AND content_hash = hash OFFSET 0) AS twin`,
    readKept(tx, { personId, companionId, audience }, drafts),
  ]);
  return { newTurns: new Set(newTurns), refusals, isPrivate, keptToday, twins, kept };
}

/**
 * Reads the episodes of these messages, only where they are remembered again because one was edited or deleted.
 * Otherwise none, because the search would read all rows of the person.
 */
async function readKept(
  reader: Reader,
  { personId, companionId, audience }: MemoryScope,
  drafts: readonly Draft[],
): Promise<KeptEpisode[]> {
  const sources = drafts.flatMap((draft) => draft.sources);
  return reader.$queryRaw<KeptEpisode[]>`
    SELECT content_hash AS "contentHash", sources FROM memories
    WHERE EXISTS (
        SELECT 1 FROM forget_records WHERE person_id = ${personId}::uuid
          AND (sources && ${sources}::text[] AND revision > 0 OR others && ${sources}::text[]))
      AND person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience}
      AND kind = 'episode' AND ${ARE_OWN_WORDS} AND sources && ${sources}::text[]`;
}

/**
 * Counts what a person said since a time, up to the daily limit. Imports have no limit. By when it was said, of which there
 * is an index: by when it was stored, all their memories would be read. The order names that index: by one that begins with
 * the kind, what everybody said since would be read.
 */
async function countEpisodes(reader: Reader, personId: string, since: Date): Promise<number> {
  const [count = 0] = await columnOf(reader)<number>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM memories
      WHERE person_id = ${personId}::uuid AND kind = 'episode' AND writer = 'person' AND said_at >= ${since}
      ORDER BY companion_id, said_at DESC LIMIT ${MAX_A_DAY}
    ) AS said`;
  return count;
}

/** Reads the records of forgotten or edited messages that concern these drafts. */
async function readRefusals(
  reader: Reader,
  { personId, companionId }: Pick<EpisodePlace, 'personId' | 'companionId'>,
  drafts: readonly Draft[],
): Promise<Refusal[]> {
  const sources = drafts.flatMap((draft) => draft.sources);
  return reader.$queryRaw<Refusal[]>`
    SELECT sources, everything, said_from AS "saidFrom", said_to AS "saidTo", revision, at FROM forget_records
    WHERE person_id = ${personId}::uuid AND (companion_id IS NULL OR companion_id = ${companionId})
      AND (everything OR said_from IS NOT NULL OR sources && ${sources}::text[])`;
}

/** Stored rows of a place. */
export interface SavedEpisodes extends Pick<
  EpisodePlan,
  'personId' | 'companionId' | 'fresh' | 'mayLackMore'
> {
  /** Rows without a point so far. */
  toIndex: readonly ToIndex[];
  holdsAny: boolean;
  /** Called once the transaction is committed. */
  isCommitted: () => void;
}

/** Inserts new episodes, with their points where those are prepared, and adds a source to known ones. */
export async function saveEpisodes(
  tx: Writer,
  plan: EpisodePlan,
  prepared: PreparedPoints | null,
): Promise<SavedEpisodes> {
  const { personId, companionId, fresh, again, mayLackMore } = plan;
  const open = fresh.filter(({ shelf }) => shelf === 'open');
  const [, isCommitted] = await Promise.all([
    insertRows(
      tx,
      fresh.map((row) => ({ ...row, kind: 'episode', writer: 'person' })),
    ),
    prepared?.write(tx, personId, open),
    ...again.map(({ twin, draft }) => addSource(tx, twin, draft)),
  ]);
  return {
    personId,
    companionId,
    fresh,
    mayLackMore,
    toIndex: prepared ? [] : open,
    holdsAny: mayLackMore || fresh.length + again.length > 0,
    isCommitted: isCommitted ?? (() => undefined),
  };
}

/**
 * Records that a memory was said again: it is read again, and reopened where that is due. An episode that was stored as
 * somebody else's words becomes the person's own.
 */
async function addSource(tx: Writer, twin: Twin, draft: Draft): Promise<void> {
  // A companion's note names every message it may come from. The person says it in these messages only.
  const known = twin.writer === 'companion' ? [] : twin.sources;
  const sources = [...new Set([...known, ...draft.sources])].slice(-MAX_SOURCES);
  const isOwn = twin.kind === 'episode';
  const isLater = draft.saidAt > twin.saidAt;
  const isBack = comesBack(twin, draft.saidAt);
  // Read again: between two times of "I live in Paris" they may have lived elsewhere.
  await tx.$executeRaw`
    UPDATE memories SET sources = ${sources}::text[], read_at = NULL,
      writer = CASE WHEN ${isOwn} THEN 'person' ELSE writer END,
      speaker = CASE WHEN ${isOwn} THEN ${draft.turn.displayName} ELSE speaker END,
      said_at = CASE WHEN ${isLater} THEN ${draft.saidAt}::timestamptz ELSE said_at END,
      turn_id = CASE WHEN ${isLater} THEN ${draft.turn.turnId}::uuid ELSE turn_id END,
      superseded_by = CASE WHEN ${isBack} THEN NULL ELSE superseded_by END,
      shelf_reason = CASE WHEN ${isBack} THEN NULL ELSE shelf_reason END,
      shelf = CASE WHEN ${isBack} THEN 'open' ELSE shelf END
    WHERE id = ${twin.id}::uuid`;
}
