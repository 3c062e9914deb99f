import { setTimeout as sleep } from 'node:timers/promises';
import { decideRetry, ModelError } from '@kith/llm';

/** Time for all tries: whoever asks waits 10 s (the contract's timeout), and a later answer is paid for in vain. */
const BUDGET_MS = 9_000;

/**
 * Calls a provider, and again after failures that may pass.
 * @throws ModelError the last one
 */
export async function withRetries<T>(call: () => Promise<T>): Promise<T> {
  const started = performance.now();
  for (let tries = 1; ; tries += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const { kind, retryAfterMs } = error;
      const elapsedMs = performance.now() - started;
      const spent = { elapsedMs, budgetMs: BUDGET_MS, hasNext: false, random: Math.random() };
      const decision = decideRetry({ kind, tries, retryAfterMs, ...spent });
      if (decision.action === 'next') throw error;
      await sleep(decision.waitMs);
    }
  }
}
