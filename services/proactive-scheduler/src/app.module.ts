import type { DynamicModule } from '@nestjs/common';
import { type Host, serviceModule } from '@kith/service-host';
import type { Config } from './config.js';
import { makeParts, PARTS } from './parts.js';
import { ProactiveSchedulerController } from './proactive-scheduler.controller.js';

export function appModule(config: Config): DynamicModule {
  const make = (host: Host) => makeParts(config, host);
  return serviceModule(
    { key: PARTS, make, controllers: [ProactiveSchedulerController] },
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
