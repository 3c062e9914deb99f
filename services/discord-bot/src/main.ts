import { runService } from '@kith/service-host';
import { AppModule } from './app.module.js';
import { settings } from './config.js';

await runService({ name: 'discord-bot', settings, module: (config) => AppModule.with(config) });
