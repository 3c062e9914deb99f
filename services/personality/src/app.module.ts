import type { DynamicModule } from '@nestjs/common';
import { HookList } from '@kith/llm';
import { type Host, serviceModule } from '@kith/service-host';
import type { Config } from './config.js';
import { makeParts, PARTS } from './parts.js';
import { PersonalityController } from './personality.controller.js';

/** State while a file is left out: all other companions are there. */
const LEFT_OUT = {
  part: 'persona-files',
  effect: 'a companion whose file is broken is missing, or stays as it was before',
};

export function appModule(config: Config, hooks = new HookList()): DynamicModule {
  const make = (host: Host) => makeParts(config, hooks, host);
  return serviceModule(
    { key: PARTS, make, controllers: [PersonalityController] },
    ({ database, companions, sealed, checks, models, usage, messenger, broadcasts, logger }) => ({
      onModuleInit: () => {
        checks.add('postgres', () => database.ping());
        checks.add('companions', () => companions.all());
        checks.add('persona-files', () => companions.watch.requireWholeFiles(), LEFT_OUT);
        models?.start(messenger, broadcasts);
        usage.reportTo(messenger, logger);
        sealed.start();
      },
      onApplicationBootstrap: () => companions.watch.start(),
      // The jobs that ran here have ended.
      onApplicationShutdown: async () => {
        models?.stop();
        await companions.watch.stop();
        await sealed.stop();
        await database.close();
        // Last: it may wait for Redis longer than a service has to end.
        await usage.close();
      },
    }),
  );
}
