import type { Found } from '../vector-index.js';

/** Keeps the best `limit` of many offered rows, without sorting them all. */
export class TopRows {
  private readonly kept: { row: number; score: number }[] = [];
  /** The score of the last one kept, once there are enough. */
  private least = -Infinity;

  constructor(
    readonly limit: number,
    readonly ids: readonly string[],
  ) {}

  offer(row: number, score: number): void {
    // Most offers end here, so it makes nothing.
    if (score < this.least) return;
    let at = this.kept.length;
    while (at > 0 && this.before(row, score, this.kept[at - 1]!)) at -= 1;
    this.kept.splice(at, 0, { row, score });
    if (this.kept.length > this.limit) this.kept.pop();
    if (this.kept.length === this.limit) this.least = this.kept.at(-1)!.score;
  }

  found(): Found[] {
    return this.kept.map(({ row, score }) => ({ id: this.ids[row]!, score }));
  }

  private before(row: number, score: number, other: { row: number; score: number }): boolean {
    return score > other.score || (score === other.score && this.ids[row]! < this.ids[other.row]!);
  }
}
