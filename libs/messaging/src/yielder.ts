import { setImmediate as breathe } from 'node:timers/promises';

/** Gives other work of the process a turn after each so much of one's own. */
export class Yielder {
  private done = 0;

  /** @param each amount of work that may block the process */
  constructor(private readonly each: number) {}

  async after(work: number): Promise<void> {
    this.done += work;
    if (this.done < this.each) return;
    this.done = 0;
    await breathe();
  }
}
