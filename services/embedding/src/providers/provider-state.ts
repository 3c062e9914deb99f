import { isAboutRequest, ModelError, type ModelErrorKind } from '@kith/llm';

/** Failures that last until the operator acts, so that asking again soon is of no use. */
const HOPELESS: ReadonlySet<ModelErrorKind> = new Set([
  'spend-limit',
  'unauthorized',
  'no-such-model',
  'garbled',
]);
/** Time between two tries after such a failure: an operator who fixed it waits five minutes at most. */
const HOPELESS_MS = 300_000;

/** Keeps the outcome of a provider's last call for the health page: asking one that works would cost money. */
export class ProviderState {
  private last: { failure: ModelError; atMs: number } | null = null;

  record(outcome: 'ok' | ModelError, nowMs: number): void {
    // A refused text shows that the provider works.
    const failed = outcome !== 'ok' && !isAboutRequest(outcome.kind);
    this.last = failed ? { failure: outcome, atMs: nowMs } : null;
  }

  /** Problem of the last call; null where it went well. */
  get problem(): string | null {
    return this.last?.failure.message ?? null;
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
