import { AppError } from '@kith/contracts';

/** Bounds what this process holds of each caller at once. */
export class HeldBudget {
  private readonly held = new Map<string, number>();

  /** @param refusal what a caller is told who holds too much */
  constructor(
    private readonly refusal: string,
    private readonly perCaller: number,
  ) {}

  /**
   * Takes an amount for a caller.
   * @returns gives it back; to be called once
   * @throws AppError `rate_limited` above the caller's share
   */
  take(caller: string, amount: number): () => void {
    if ((this.held.get(caller) ?? 0) + amount > this.perCaller)
      throw new AppError('rate_limited', this.refusal);
    this.add(caller, amount);
    return () => this.add(caller, -amount);
  }

  private add(caller: string, amount: number): void {
    const held = (this.held.get(caller) ?? 0) + amount;
    if (held > 0) this.held.set(caller, held);
    else this.held.delete(caller);
  }
}
