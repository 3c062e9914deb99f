import { DAY_MS, type EmbeddingSpace } from '@kith/contracts';
import { FORMER_LEXICAL_SPACE } from '@kith/lexical-embedding';

/** Spaces that the embedding service can embed into: of its model, and of the model that is to follow. */
export interface OfferedSpaces {
  current: EmbeddingSpace;
  next: EmbeddingSpace | null;
}

/** Time for which an unused space is kept: who finds the new model worse goes back within it, without embedding anew. */
const KEPT_UNUSED_MS = 7 * DAY_MS;

/** Decides which spaces are removed: those that nothing has used for a week. Pure. */
export function decideRetired(
  known: readonly { space: string; usedAt: Date }[],
  used: ReadonlySet<string>,
  now: Date,
): string[] {
  return known
    .filter(({ space, usedAt }) => !used.has(space) && now.getTime() - usedAt.getTime() > KEPT_UNUSED_MS)
    .map(({ space }) => space);
}

/**
 * Decides the space recall goes by, and the one filled beside it to take its place. The one in use stays so as long as it is
 * offered; when it is not, nothing can be asked in it any more. The former offline space can always be asked: its
 * vectors are made here. Pure.
 */
export function decideSpaces(
  { current, next }: OfferedSpaces,
  inUse: string | null,
): { use: EmbeddingSpace; fill: EmbeddingSpace | null } {
  if (inUse === FORMER_LEXICAL_SPACE.id) return { use: FORMER_LEXICAL_SPACE, fill: next ?? current };
  if (next === null || next.id === current.id) return { use: current, fill: null };
  return inUse === next.id ? { use: next, fill: null } : { use: current, fill: next };
}
