import type { ServiceDefinition } from '@kith/service-host';
import { AppModule } from './app.module.js';
import { settings } from './config.js';

/** What this service is made of, wherever it is placed. */
export const service: ServiceDefinition<typeof settings> = {
  name: 'memory',
  settings,
  module: (config) => AppModule.with(config),
};
