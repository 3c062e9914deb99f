import type { PersonVectors } from './person-vectors.js';

/** Bounds of one person's memory: vectors, and everything else, which counts towards V8's heap limit. */
export interface LoadBounds {
  heapBytes: number;
  vectorBytes: number;
}

/** Bounds up to which the newest points are loaded: some 150,000 lines of a chat, or 100,000 vectors of 1,024 numbers. */
export const LOADED: LoadBounds = { heapBytes: 48 * 1024 * 1024, vectorBytes: 100 * 1024 * 1024 };

/** Share of the bounds past which vectors are loaded again. Without that margin, each new point would load them. */
export const HELD_SHARE = 1.25;

/** Tells whether somebody's points take more than a share of the bounds. */
export function isOver({ bytes, heapBytes }: PersonVectors, bounds: LoadBounds, share: number): boolean {
  return heapBytes > bounds.heapBytes * share || bytes - heapBytes > bounds.vectorBytes * share;
}
