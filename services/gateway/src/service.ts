import { loadModelHooks } from '@kith/llm';
import type { ServiceDefinition } from '@kith/service-host';
import { appModule } from './app.module.js';
import { settings } from './config.js';
import { openDoors } from './http/open-doors.js';

/** Definition of this service, whichever process runs it. */
export const service: ServiceDefinition<typeof settings> = {
  name: 'gateway',
  settings,
  module: async (config, logger) => appModule(config, await loadModelHooks(config.models, logger)),
  withoutRedis: {
    apart: 'messages are accepted; replies come without memory and mood, and Discord has to wait',
    together:
      'messages are answered; what follows them, deliveries to Discord and recurring work have to wait',
  },
  extend: (app, config) => openDoors(app, config.api.consoleDirectory),
};
