import { setTimeout as sleep } from 'node:timers/promises';
import { decideRetry, ModelError } from '@kith/llm';

/** Askers wait 10 s (the contract's timeout); what comes later is paid for and read by nobody. */
const BUDGET_MS = 9_000;

/**
 * Runs a provider call, again while its failure may pass.
 * @throws ModelError, the last one
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
