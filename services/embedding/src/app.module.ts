import type { DynamicModule } from '@nestjs/common';
import { HOST, provide, serviceModule } from '@kith/service-host';
import type { Config } from './config.js';
import { EmbeddingController } from './embedding.controller.js';
import { makeParts, PARTS } from './parts.js';

export function appModule(config: Config): DynamicModule {
  const providers = [provide(PARTS, HOST, (host) => makeParts(config, host))];
  return serviceModule(
    { controllers: [EmbeddingController], providers },
    [PARTS],
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
