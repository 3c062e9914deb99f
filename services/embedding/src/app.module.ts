import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import { HealthChecks, LOGGER, METRICS, type SettingsOf } from '@kith/service-host';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { RedisVectorCache } from './cache/vector-cache.js';
import type { settings } from './config.js';
import { chooseProvider } from './embed/choose-provider.js';
import { Embedder } from './embed/embedder.js';
import type { EmbeddingProvider } from './embed/provider.js';
import { ProviderState } from './embed/provider-state.js';
import { cacheFailureCounter, embedderEvents } from './embedder-events.js';
import { EmbeddingController } from './embedding.controller.js';

const PROVIDER = Symbol('PROVIDER');
const DAY_MS = 86_400_000;

@Module({})
export class AppModule implements OnApplicationShutdown {
  constructor(@Inject(RedisVectorCache) private readonly cache: RedisVectorCache) {}

  static with(config: SettingsOf<typeof settings>): DynamicModule {
    const state = new ProviderState();
    return {
      module: AppModule,
      controllers: [EmbeddingController],
      providers: [
        { provide: PROVIDER, useFactory: () => chooseProvider(config) },
        {
          provide: RedisVectorCache,
          inject: [PROVIDER, METRICS],
          useFactory: (provider: EmbeddingProvider, metrics: Registry) =>
            new RedisVectorCache({
              ...config.redis,
              ttlMs: Math.round(config.embedding.cacheDays * DAY_MS),
              dimensions: provider.space.dimensions,
              onFailure: cacheFailureCounter(metrics),
            }),
        },
        {
          provide: Embedder,
          inject: [PROVIDER, RedisVectorCache, METRICS, LOGGER, HealthChecks],
          useFactory: (
            provider: EmbeddingProvider,
            cache: RedisVectorCache,
            metrics: Registry,
            logger: Logger,
            checks: HealthChecks,
          ) => {
            checks.add(
              provider.name,
              async () => {
                if (state.problem) throw new Error(state.problem);
              },
              {
                part: 'embedding',
                effect: 'new memories wait until they can be found by meaning',
                probe: () =>
                  state.probe(() => provider.embed(['Are you there?'], 'query'), performance.now()),
              },
            );
            logger.info({ space: provider.space.id, kind: provider.space.kind }, 'embedding space');
            return new Embedder(provider, cache, embedderEvents(metrics, state, logger));
          },
        },
      ],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.cache.close();
  }
}
