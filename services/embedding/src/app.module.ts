import type { DynamicModule } from '@nestjs/common';
import { type Host, serviceModule } from '@kith/service-host';
import type { Config } from './config.js';
import { EmbeddingController } from './embedding.controller.js';
import { makeParts, PARTS } from './parts.js';

export function appModule(config: Config): DynamicModule {
  const make = (host: Host) => makeParts(config, host);
  return serviceModule(
    { key: PARTS, make, controllers: [EmbeddingController] },
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
