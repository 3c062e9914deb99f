import { present } from '@kith/contracts';
import type { FoundMemory } from '../vector-index.js';

/**
 * Keeps the best `limit` of the rows it is offered, without sorting them all. It may be offered ten thousand, so an offer
 * makes no object.
 */
export class TopRows {
  private readonly rows: Int32Array;
  private readonly scores: Float64Array;
  private kept = 0;

  constructor(
    readonly limit: number,
    readonly ids: readonly string[],
  ) {
    this.rows = new Int32Array(limit);
    this.scores = new Float64Array(limit);
  }

  /** The score of the last one kept, once there are enough. */
  private get least(): number {
    return this.kept < this.limit ? -Infinity : (this.scores[this.limit - 1] ?? -Infinity);
  }

  offer(row: number, score: number): void {
    if (score < this.least) return;
    const at = this.placeOf(row, score);
    if (at === this.limit) return;
    if (this.kept < this.limit) this.kept += 1;
    this.rows.copyWithin(at + 1, at, this.kept - 1);
    this.scores.copyWithin(at + 1, at, this.kept - 1);
    this.rows[at] = row;
    this.scores[at] = score;
  }

  /** Finds where a row belongs, in few steps: among many equals each step compares ids. */
  private placeOf(row: number, score: number): number {
    let [low, high] = [0, this.kept];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isBefore(row, score, middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The best first; equals in the order of their ids. */
  found(): FoundMemory[] {
    return Array.from({ length: this.kept }, (_, at) => ({
      id: this.idOf(this.rows[at] ?? 0),
      score: this.scores[at] ?? 0,
    }));
  }

  private idOf(row: number): string {
    return present(this.ids[row]);
  }

  private isBefore(row: number, score: number, place: number): boolean {
    const other = this.scores[place] ?? 0;
    return score > other || (score === other && this.idOf(row) < this.idOf(this.rows[place] ?? 0));
  }
}

/**
 * Finds the lowest score among the best `n` rows; -Infinity where there are fewer rows. Unlike the best rows themselves it
 * is the same in whichever order equals come, so that no ids are compared.
 */
export function nthScore(scores: Float64Array, rows: Int32Array, n: number): number {
  if (rows.length < n) return -Infinity;
  const best = new Float64Array(n).fill(-Infinity);
  const last = n - 1;
  for (const row of rows) {
    const score = scores[row] ?? 0;
    if (score <= (best[last] ?? 0)) continue;
    let at = last;
    for (; at > 0 && (best[at - 1] ?? 0) < score; at -= 1) best[at] = best[at - 1] ?? 0;
    best[at] = score;
  }
  return best[last] ?? -Infinity;
}
