import type { EmbeddingSpace } from '@kith/contracts';

/** What the embedding service can embed into: by its settings, and by those of the model that is to follow. */
export interface OfferedSpaces {
  current: EmbeddingSpace;
  next: EmbeddingSpace | null;
}

/** A week: who finds the new model worse goes back to the old one without embedding all anew. */
const KEPT_UNUSED_MS = 7 * 24 * 60 * 60 * 1000;

/** Which spaces are removed: those that nothing has used for a week. Pure. */
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
 * Which space recall goes by, and which is filled beside it to take its place. The one in use stays so as long as it is
 * offered; when it is not, nothing can be asked in it any more. Pure.
 */
export function decideSpaces(
  { current, next }: OfferedSpaces,
  inUse: string | null,
): { use: EmbeddingSpace; fill: EmbeddingSpace | null } {
  if (next === null || next.id === current.id) return { use: current, fill: null };
  return inUse === next.id ? { use: next, fill: null } : { use: current, fill: next };
}
