import { present } from '@kith/contracts';

interface WaitingItem<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers single items into calls of bounded size, and hands each asker its own result. What comes while calls are under
 * way waits for the next, so batches grow with the load.
 */
export class MicroBatcher<Item, Result> {
  private waiting: WaitingItem<Item, Result>[] = [];
  private beginning: NodeJS.Immediate | undefined;
  private calls = 0;

  /**
   * @param run gives one result for each item, in their order
   * @param mayBeOneItem tells whether a failure may be one item's fault
   * @param bounds of the items of a call and of their size, unless one alone goes beyond it, and of the calls under way at
   * once
   */
  constructor(
    private readonly run: (items: Item[]) => Promise<Result[]>,
    private readonly mayBeOneItem: (error: unknown) => boolean,
    private readonly bounds: { maxItems: number; maxCalls: number; maxSize?: number },
    private readonly sizeOf: (item: Item) => number = () => 0,
  ) {}

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.waiting.length >= this.bounds.maxItems) this.start();
      // What is asked for in the same moment goes together; somebody may be waiting for an answer.
      else this.beginning ??= setImmediate(() => this.start());
    });
  }

  private start(): void {
    clearImmediate(this.beginning);
    this.beginning = undefined;
    while (this.calls < this.bounds.maxCalls && this.waiting.length > 0) {
      this.calls += 1;
      void this.call(this.waiting.splice(0, this.countNext())).finally(() => {
        this.calls -= 1;
        if (this.waiting.length > 0) this.start();
      });
    }
  }

  /** Counts the items that the next call may hold. */
  private countNext(): number {
    const { maxItems, maxSize = Infinity } = this.bounds;
    let size = 0;
    const next = this.waiting.slice(0, maxItems);
    const over = next.findIndex(({ item }) => (size += this.sizeOf(item)) > maxSize);
    return over === -1 ? maxItems : Math.max(1, over);
  }

  /** Settles a batch. One item that is refused must not fail the others: the halves are tried apart. */
  private async call(batch: WaitingItem<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(present(results[index])));
    } catch (error) {
      if (batch.length === 1 || !this.mayBeOneItem(error)) {
        batch.forEach(({ reject }) => reject(error));
        return;
      }
      const middle = Math.ceil(batch.length / 2);
      await this.call(batch.slice(0, middle));
      await this.call(batch.slice(middle));
    }
  }
}
