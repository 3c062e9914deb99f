import { present } from '@kith/contracts';
import { PAUSE_MS } from '../../words/neighbours.js';

/** Number that no row has. */
export const NONE = -1;
/** Most pieces of a message: of some 40,000 characters. Lines of a log without times all look like one message. */
const MAX_PIECES = 32;

/** Keeps the order in which rows were said, for each conversation. Rows are numbered as they are added. */
export class LineOrder {
  /** The rows said before and after each in its conversation; `NONE` at an end. */
  readonly before: number[] = [];
  readonly after: number[] = [];
  private readonly saidAt: number[] = [];
  /** The row of each conversation that was added last. */
  private readonly added = new Map<string, number>();

  /** @param ids ids of all rows, and of the one that is added: they order what was said at the same moment */
  constructor(private readonly ids: readonly string[]) {}

  /**
   * Puts the next row into its conversation's order. The search begins at the row that was added before it, which is next
   * to it where rows come as they were said, or the latest first, as an export has them.
   */
  add(conversation: string | null, saidAt: number): void {
    const row = this.saidAt.push(saidAt) - 1;
    let [earlier, later] = [NONE, NONE];
    if (conversation !== null) {
      earlier = this.added.get(conversation) ?? NONE;
      later = this.after[earlier] ?? NONE;
      while (earlier !== NONE && this.isLater(earlier, row))
        [earlier, later] = [this.before[earlier] ?? NONE, earlier];
      while (later !== NONE && this.isLater(row, later))
        [earlier, later] = [later, this.after[later] ?? NONE];
      this.added.set(conversation, row);
    }
    this.before.push(earlier);
    this.after.push(later);
    if (earlier !== NONE) this.after[earlier] = row;
    if (later !== NONE) this.before[later] = row;
  }

  /** Gives the next row by `before` or `after`; `NONE` where there was a pause between them. */
  step(row: number, links: readonly number[]): number {
    const next = links[row] ?? NONE;
    if (next === NONE) return NONE;
    return Math.abs((this.saidAt[next] ?? 0) - (this.saidAt[row] ?? 0)) > PAUSE_MS ? NONE : next;
  }

  /** Gives a row with the other pieces of its message, which were said at the same moment. */
  piecesOf(row: number): number[] {
    return [row, ...this.piecesBeside(row, this.before), ...this.piecesBeside(row, this.after)];
  }

  private piecesBeside(row: number, links: readonly number[]): number[] {
    const pieces: number[] = [];
    let at = links[row] ?? NONE;
    while (at !== NONE && this.saidAt[at] === this.saidAt[row] && pieces.length < MAX_PIECES) {
      pieces.push(at);
      at = links[at] ?? NONE;
    }
    return pieces;
  }

  private isLater(a: number, b: number): boolean {
    const apart = (this.saidAt[a] ?? 0) - (this.saidAt[b] ?? 0);
    return apart > 0 || (apart === 0 && present(this.ids[a]) > present(this.ids[b]));
  }
}
