import type { Logger } from 'pino';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { EmbedderEvents } from './embedder.js';
import type { ProviderState } from '../providers/provider-state.js';

/** Turns the events of embedders into metrics, states for the health page, and a log line for each failure. */
export function embedderEvents(metrics: Registry, logger: Logger): (state: ProviderState) => EmbedderEvents {
  const vectors = new Counter({
    name: 'kith_embedding_vectors_total',
    help: 'Vectors answered, by where they came from.',
    labelNames: ['source'],
    registers: [metrics],
  });
  const calls = new Histogram({
    name: 'kith_embedding_call_seconds',
    help: 'Calls of the provider with their retries, by outcome.',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  return (state) => ({
    served: (source, count) => vectors.inc({ source }, count),
    called: (outcome, tookMs) => {
      state.record(outcome, performance.now());
      calls.observe({ outcome: outcome === 'ok' ? 'ok' : outcome.kind }, tookMs / 1_000);
      if (outcome !== 'ok') logger.warn({ kind: outcome.kind }, outcome.message);
    },
  });
}

/** Counts cache commands that failed; the requests went on without. */
export function cacheFailureCounter(metrics: Registry): () => void {
  const failures = new Counter({
    name: 'kith_embedding_cache_failures_total',
    help: 'Cache commands that failed; the requests went on.',
    registers: [metrics],
  });
  return () => failures.inc();
}
