import { DAY_MS, type EmbeddingSpace, type embeddingContract, type ResponseOutput } from '@kith/contracts';
import { FORMER_LEXICAL_SPACE } from '@kith/lexical-embedding';

/** Time for which an unused space is kept: going back to the former model within it needs no new embedding. */
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
 * Decides which space recall searches, and which one is filled to take its place. The one in use stays in use as long as
 * it is offered, since questions can then be embedded into it. Into the former offline space they always can: its vectors
 * are made here. Pure.
 */
export function decideSpaces(
  { current, next }: ResponseOutput<typeof embeddingContract.spaces>,
  inUse: string | null,
): { use: EmbeddingSpace; fill: EmbeddingSpace | null } {
  if (inUse === FORMER_LEXICAL_SPACE.id) return { use: FORMER_LEXICAL_SPACE, fill: next ?? current };
  if (next === null || next.id === current.id) return { use: current, fill: null };
  return inUse === next.id ? { use: next, fill: null } : { use: current, fill: next };
}
