import { setTimeout as sleep } from 'node:timers/promises';
import { ProviderFailure, type FailureKind } from '../providers/provider-failure.js';

const MAX_TRIES = 3;
const FIRST_WAIT_MS = 200;
/** Askers wait 10 s (the contract's timeout); what comes later is paid for and read by nobody. */
const BUDGET_MS = 9_000;

const MAY_PASS: ReadonlySet<FailureKind> = new Set(['overloaded', 'network', 'limited']);

/**
 * Computes the wait before the next try, or null to give up. Doubles from 200 ms with up to half of it in
 * jitter; a provider's own `retry-after` counts instead, if the budget allows for it.
 */
export function decideRetry(state: {
  failure: ProviderFailure;
  /** Tries so far, from 1. */
  tries: number;
  elapsedMs: number;
  /** In [0, 1). */
  random: number;
}): number | null {
  const { failure, tries, elapsedMs, random } = state;
  if (!MAY_PASS.has(failure.failureKind) || tries >= MAX_TRIES) return null;
  const backoffMs = FIRST_WAIT_MS * 2 ** (tries - 1) * (1 + random / 2);
  const waitMs = failure.retryAfterMs ?? backoffMs;
  return elapsedMs + waitMs < BUDGET_MS ? waitMs : null;
}

/**
 * Runs a provider call, again while its failure may pass.
 * @throws ProviderFailure, the last one
 */
export async function withRetries<T>(call: () => Promise<T>): Promise<T> {
  const started = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const elapsedMs = performance.now() - started;
      const waitMs = decideRetry({ failure: error, tries, elapsedMs, random: Math.random() });
      if (waitMs === null) throw error;
      await sleep(waitMs);
    }
  }
}
