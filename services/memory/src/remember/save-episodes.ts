import type { Writer } from '@kith/database';
import type { PreparedPoints, ToIndex } from '../index/index-writer.js';
import { insertRows } from '../rows/memory-row.js';
import { comesBack, MAX_SOURCES, type Draft, type EpisodePlan, type Twin } from './plan-episodes.js';

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
    ...{ personId, companionId, fresh, mayLackMore },
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
