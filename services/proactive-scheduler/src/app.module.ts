import type { DynamicModule } from '@nestjs/common';
import { HOST, provide, serviceModule } from '@kith/service-host';
import type { Config } from './config.js';
import { makeParts, PARTS } from './parts.js';
import { ProactiveSchedulerController } from './proactive-scheduler.controller.js';

export function appModule(config: Config): DynamicModule {
  const providers = [provide(PARTS, HOST, (host) => makeParts(config, host))];
  return serviceModule(
    { controllers: [ProactiveSchedulerController], providers },
    [PARTS],
    ({ checks, database, sealed, zones, recurring }) => ({
      onModuleInit: () => {
        checks.add('postgres', () => database.ping());
        sealed.start();
        zones.start();
      },
      onApplicationBootstrap: () => recurring.start(),
      beforeApplicationShutdown: async () => {
        await sealed.stop();
        await zones.stop();
      },
      onApplicationShutdown: () => database.close(),
    }),
  );
}
