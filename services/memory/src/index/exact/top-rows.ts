import { present, lastOf } from '@kith/contracts';
import type { Found } from '../vector-index.js';

/** Keeps the best `limit` of many offered rows, without sorting them all. */
export class TopRows {
  private readonly kept: { row: number; score: number }[] = [];
  /** The score of the last one kept, once there are enough. */
  least = -Infinity;

  constructor(
    readonly limit: number,
    readonly ids: readonly string[],
  ) {}

  offer(row: number, score: number): void {
    // Most offers end here, so it makes nothing.
    if (score < this.least) return;
    let at = this.kept.length;
    for (; at > 0; at -= 1) {
      const last = this.kept[at - 1];
      if (last && !this.before(row, score, last)) break;
    }
    this.kept.splice(at, 0, { row, score });
    if (this.kept.length > this.limit) this.kept.pop();
    if (this.kept.length === this.limit) this.least = lastOf(this.kept).score;
  }

  found(): Found[] {
    return this.kept.map(({ row, score }) => ({ id: this.idOf(row), score }));
  }

  private idOf(row: number): string {
    return present(this.ids[row]);
  }

  private before(row: number, score: number, other: { row: number; score: number }): boolean {
    return score > other.score || (score === other.score && this.idOf(row) < this.idOf(other.row));
  }
}
