import { AppError } from '@kith/contracts';

/** Limits the amount that this process holds at once, for each caller and in all. */
export class HeldBudget {
  private readonly held = new Map<string, number>();
  private heldInAll = 0;

  /** @param refusal message to a caller who holds too much */
  constructor(
    private readonly refusal: string,
    private readonly perCaller: number,
    private readonly inAll = Infinity,
  ) {}

  /**
   * Takes an amount for a caller.
   * @returns gives it back; to be called once
   * @throws AppError `rate_limited` above the caller's share, `unavailable` above that of all
   */
  take(caller: string, amount: number): () => void {
    if ((this.held.get(caller) ?? 0) + amount > this.perCaller)
      throw new AppError('rate_limited', this.refusal);
    if (this.heldInAll + amount > this.inAll)
      throw new AppError('unavailable', 'too much is sent here at once; try again in a moment');
    this.add(caller, amount);
    return () => this.add(caller, -amount);
  }

  private add(caller: string, amount: number): void {
    this.heldInAll += amount;
    const held = (this.held.get(caller) ?? 0) + amount;
    if (held > 0) this.held.set(caller, held);
    else this.held.delete(caller);
  }
}
