import type { EmbeddingSpace } from '@kith/contracts';

/** What the embedding service can embed into: by its settings, and by those of the model that is to follow. */
export interface OfferedSpaces {
  current: EmbeddingSpace;
  next: EmbeddingSpace | null;
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
