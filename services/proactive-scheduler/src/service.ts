import type { ServiceDefinition } from '@kith/service-host';
import { AppModule } from './app.module.js';
import { settings } from './config.js';

/** The service's definition, wherever it is placed. */
export const service: ServiceDefinition<typeof settings> = {
  name: 'proactive-scheduler',
  settings,
  module: (config) => AppModule.with(config),
};
