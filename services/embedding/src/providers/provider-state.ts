import { ProviderFailure, type FailureKind } from './provider-failure.js';

/** An operator has to act on these, so asking soon again is of no use. */
const HOPELESS: ReadonlySet<FailureKind> = new Set(['spent', 'auth', 'model', 'shape']);
const HOPELESS_MS = 300_000;

/** Outcome of the provider's last call, for the health page: asking a well one only to see would cost money. */
export class ProviderState {
  private last: { failure: ProviderFailure; atMs: number } | null = null;

  record(outcome: 'ok' | ProviderFailure, nowMs: number): void {
    // A refused text says that the provider is well.
    const failed = outcome !== 'ok' && outcome.failureKind !== 'refused';
    this.last = failed ? { failure: outcome, atMs: nowMs } : null;
  }

  /** Problem as far as known, or null. */
  get problem(): string | null {
    return this.last && `${this.last.failure.failureKind}: ${this.last.failure.message}`;
  }

  /** Asks a provider that failed whether it is back. Throws when it is not, or when it is too early to ask. */
  async probe(ask: () => Promise<unknown>, nowMs: number): Promise<void> {
    if (!this.last) return;
    const { failure, atMs } = this.last;
    if (HOPELESS.has(failure.failureKind) && nowMs - atMs < HOPELESS_MS) throw failure;
    try {
      await ask();
      this.last = null;
    } catch (error) {
      if (error instanceof ProviderFailure) this.record(error, nowMs);
      throw error;
    }
  }
}
