import type { ServiceDefinition } from '@kith/service-host';
import { appModule } from './app.module.js';
import { settings } from './config.js';

/** Definition of this service, whichever process runs it. */
export const service: ServiceDefinition<typeof settings> = {
  name: 'discord-bot',
  settings,
  module: (config) => appModule(config),
};
