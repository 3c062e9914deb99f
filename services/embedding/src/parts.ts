import { DAY_MS } from '@kith/contracts';
import { type Host, type HealthChecks, type Token, UsageBook } from '@kith/service-host';
import { RedisVectorCache } from './cache/redis-vector-cache.js';
import { chooseProviders } from './choice/choose-providers.js';
import { RedisKeptModel } from './choice/redis-kept-model.js';
import type { Config } from './config.js';
import { countCalls } from './embed/count-calls.js';
import { Embedder } from './embed/embedder.js';
import { cacheFailureCounter, embedderEvents } from './embed/embedder-events.js';
import { Embedders } from './embed/embedders.js';
import type { EmbeddingProvider } from './providers/embedding-provider.js';
import { ProviderState } from './providers/provider-state.js';

/** All parts of embedding, by name. */
export type Parts = Awaited<ReturnType<typeof makeParts>>;

/** Key under which its controller finds them. */
export const PARTS: Token<Parts> = Symbol('PARTS');

/** Makes the embedders of the spaces that the settings name. */
export async function makeParts(config: Config, host: Host) {
  const { metrics, logger, checks } = host;
  const usage = new UsageBook();
  const ttlMs = Math.round(config.embedding.cacheDays * DAY_MS);
  const onFailure = cacheFailureCounter(metrics);
  const events = embedderEvents(metrics, logger);
  const embedderOf = (provider: EmbeddingProvider, role: 'current' | 'next') => {
    const { dimensions, id: space, kind } = provider.space;
    const cache = new RedisVectorCache({ ...config.redis, ttlMs, dimensions, onFailure });
    logger.info({ space, kind, role }, 'embedding space');
    const counted = countCalls(provider, (call) => usage.note(call));
    return new Embedder(counted, cache, events(watch(counted, role, checks)));
  };
  const kept = new RedisKeptModel(config.redis);
  const warn = (message: string) => logger.warn(message);
  const { current, next } = await chooseProviders(config, { kept, warn }).finally(() => kept.close());
  const embedders = new Embedders(
    embedderOf(current, 'current'),
    next && next.space.id !== current.space.id ? embedderOf(next, 'next') : null,
  );
  return { ...host, usage, embedders };
}

/** Has health tell whether a provider's last call went well. */
function watch(provider: EmbeddingProvider, role: 'current' | 'next', checks: HealthChecks): ProviderState {
  const state = new ProviderState();
  const isNext = role === 'next';
  checks.add(
    isNext ? `next ${provider.name}` : provider.name,
    () => {
      if (state.problem) throw new Error(state.problem);
    },
    {
      part: isNext ? 'next-embedding' : 'embedding',
      effect: isNext
        ? 'the next embedding space is not filled meanwhile'
        : 'new memories wait until they can be found by meaning',
      probe: () => state.probe(() => provider.embed(['Are you there?'], 'query'), performance.now()),
    },
  );
  return state;
}
