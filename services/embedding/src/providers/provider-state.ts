import { isAboutRequest, ModelError, type ModelErrorKind } from '@kith/llm';

/** An operator has to act on these, so asking soon again is of no use. */
const HOPELESS: ReadonlySet<ModelErrorKind> = new Set([
  'spend-limit',
  'unauthorized',
  'no-such-model',
  'garbled',
]);
/** An operator who mended it waits five minutes at most. */
const HOPELESS_MS = 300_000;

/** Outcome of the provider's last call, for the health page: asking a well one only to see would cost money. */
export class ProviderState {
  private last: { failure: ModelError; atMs: number } | null = null;

  record(outcome: 'ok' | ModelError, nowMs: number): void {
    // A refused text says that the provider is well.
    const failed = outcome !== 'ok' && !isAboutRequest(outcome.kind);
    this.last = failed ? { failure: outcome, atMs: nowMs } : null;
  }

  /** Problem as far as known, or null. */
  get problem(): string | null {
    return this.last && this.last.failure.message;
  }

  /** Asks a provider that failed whether it is back. Throws when it is not, or when it is too early to ask. */
  async probe(ask: () => Promise<unknown>, nowMs: number): Promise<void> {
    if (!this.last) return;
    const { failure, atMs } = this.last;
    if (HOPELESS.has(failure.kind) && nowMs - atMs < HOPELESS_MS) throw failure;
    try {
      await ask();
      this.last = null;
    } catch (error) {
      if (error instanceof ModelError) this.record(error, nowMs);
      throw error;
    }
  }
}
