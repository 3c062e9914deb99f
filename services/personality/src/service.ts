import { loadHooks } from '@kith/llm';
import type { ServiceDefinition } from '@kith/service-host';
import { AppModule } from './app.module.js';
import { settings } from './config.js';

/** Definition of this service, whichever process runs it. */
export const service: ServiceDefinition<typeof settings> = {
  name: 'personality',
  settings,
  module: async (config, logger) =>
    AppModule.with(config, await loadHooks(config.models.hooksDirectory, logger)),
};
