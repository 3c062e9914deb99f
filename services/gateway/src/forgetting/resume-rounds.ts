import { isLocked, isUnavailable, lastOf } from '@kith/contracts';

/** Age from which an unfinished order counts as interrupted: a younger one may be under way. */
export const OVERDUE_MS = 10_000;

/**
 * Rounds through work that was broken off. A round ends at the first part of the suite that does not answer: it would keep
 * everything else waiting as long again for each of them. The next round begins behind what was tried last, so that what
 * fails each time holds up nothing.
 */
export class ResumeRounds<Item> {
  /** Key after which the next round begins; empty: at the beginning. */
  private after = '';

  constructor(
    private readonly parts: {
      /** Items of one round. */
      limit: number;
      keyOf: (item: Item) => string;
      /** Finds items in the order of their keys, after one of them. */
      find: (after: string, limit: number) => Promise<Item[]>;
      carryOut: (item: Item) => Promise<unknown>;
      /** Called with why an item could not be carried out. */
      onFailure: (error: unknown, item: Item) => void;
    },
  ) {}

  /** Goes one round. Returns the items that it has tried. */
  async next(): Promise<Item[]> {
    const { limit, keyOf, find, carryOut, onFailure } = this.parts;
    let items = await find(this.after, limit);
    if (items.length === 0 && this.after !== '') items = await find('', limit);
    this.after = items.length < limit ? '' : keyOf(lastOf(items));
    for (const [at, item] of items.entries()) {
      try {
        await carryOut(item);
      } catch (error) {
        onFailure(error, item);
        if (isUnavailable(error) && !isLocked(error)) {
          this.after = keyOf(item);
          return items.slice(0, at + 1);
        }
      }
    }
    return items;
  }
}
