import type { DynamicModule } from '@nestjs/common';
import { type Host, serviceModule } from '@kith/service-host';
import type { Config } from './config.js';
import { DiscordBotController } from './discord-bot.controller.js';
import { makeParts, PARTS, type Paces } from './parts.js';

export function appModule(config: Config, paces: Partial<Paces> = {}): DynamicModule {
  const make = (host: Host) => makeParts(config, paces, host);
  return serviceModule(
    { key: PARTS, make, controllers: [DiscordBotController] },
    ({ connection, router, api, database, cursors, resumePoint, live, ...parts }) => ({
      onModuleInit: () => {
        parts.checks.add('postgres', () => database.ping());
        if (!connection.isWanted) return;
        parts.checks.add('discord', () => {
          const { state, problem } = connection.status();
          if (state !== 'ready' && state !== 'standby') throw new Error(problem ?? state);
        });
      },
      onApplicationBootstrap: () => {
        cursors.start();
        resumePoint.start();
        parts.clearUp.start();
        connection.start(router);
      },
      // Hears nothing new, and finishes what was heard. Deliveries under way end beside this.
      beforeApplicationShutdown: async () => {
        router.stop();
        await connection.stop();
        await Promise.all([parts.intake.drain(), parts.desk.drain()]);
        await cursors.stop();
        await resumePoint.stop();
        await Promise.all([live.stop(), parts.clearUp.stop()]);
        parts.typing.stop();
      },
      onApplicationShutdown: async () => {
        api.close();
        await database.close();
      },
    }),
  );
}
