import { ProviderFailure } from './provider-failure.js';

/** A failure this old says nothing about now: the next request will tell. */
const FORGET_AFTER_MS = 60_000;

/** How the provider's last call went, for the health page: asking it only to see would cost money. */
export class ProviderState {
  #lastFailure: { failure: ProviderFailure; atMs: number } | null = null;

  record(outcome: 'ok' | ProviderFailure, nowMs: number): void {
    // A refused text says that the provider is well.
    const failed = outcome !== 'ok' && outcome.failureKind !== 'refused';
    this.#lastFailure = failed ? { failure: outcome, atMs: nowMs } : null;
  }

  /** What is wrong as far as known, or null. */
  problem(nowMs: number): string | null {
    if (!this.#lastFailure || nowMs - this.#lastFailure.atMs > FORGET_AFTER_MS) return null;
    const { failureKind, message } = this.#lastFailure.failure;
    return `${failureKind}: ${message}`;
  }
}
