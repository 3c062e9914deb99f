import { DAY_MS } from '@kith/contracts';
import type { DynamicModule, Provider } from '@nestjs/common';
import { Messenger } from '@kith/messaging';
import { HealthChecks, LOGGER, METRICS, provide, serviceModule, UsageBook, value } from '@kith/service-host';
import { RedisKeptModel } from './choice/redis-kept-model.js';
import { RedisVectorCache } from './cache/redis-vector-cache.js';
import type { Config } from './config.js';
import { chooseProviders } from './choice/choose-providers.js';
import { countCalls } from './embed/count-calls.js';
import { Embedder } from './embed/embedder.js';
import { Embedders } from './embed/embedders.js';
import type { EmbeddingProvider } from './providers/embedding-provider.js';
import { ProviderState } from './providers/provider-state.js';
import { cacheFailureCounter, embedderEvents } from './embed/embedder-events.js';
import { EmbeddingController } from './embedding.controller.js';

export function appModule(config: Config): DynamicModule {
  return serviceModule(
    { controllers: [EmbeddingController], providers: providersOf(config) },
    { embedders: Embedders, usage: UsageBook, messenger: Messenger, logger: LOGGER },
    ({ embedders, usage, messenger, logger }) => ({
      onApplicationBootstrap: () => usage.reportTo(messenger, logger),
      // The questions that were asked here have been answered.
      onApplicationShutdown: async () => {
        await embedders.close();
        await usage.close();
      },
    }),
  );
}

function providersOf(config: Config): Provider[] {
  const usage = new UsageBook();
  const ttlMs = Math.round(config.embedding.cacheDays * DAY_MS);
  return [
    value(usage),
    provide(Embedders, [METRICS, LOGGER, HealthChecks], async (metrics, logger, checks) => {
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
      return new Embedders(
        embedderOf(current, 'current'),
        next && next.space.id !== current.space.id ? embedderOf(next, 'next') : null,
      );
    }),
  ];
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
