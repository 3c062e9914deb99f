import type { ServiceDefinition } from '@kith/service-host';
import { AppModule } from './app.module.js';
import { settings } from './config.js';

/** Definition of this service, for a process of its own or one with others. */
export const service: ServiceDefinition<typeof settings> = {
  name: 'discord-bot',
  settings,
  module: (config) => AppModule.with(config),
};
