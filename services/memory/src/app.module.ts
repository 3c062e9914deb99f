import type { DynamicModule } from '@nestjs/common';
import { HookList } from '@kith/llm';
import { type Host, serviceModule } from '@kith/service-host';
import type { Config } from './config.js';
import { MemoryController } from './memory.controller.js';
import { makeParts, PARTS } from './parts.js';

export function appModule(config: Config, hooks = new HookList()): DynamicModule {
  const make = (host: Host) => makeParts(config, hooks, host);
  return serviceModule(
    { key: PARTS, make, controllers: [MemoryController] },
    ({ database, index, upkeep, sealed, lore, checks, models, usage, ...parts }) => ({
      onModuleInit: () => {
        checks.add('postgres', () => database.ping());
        checks.add('index', () => index.check(), {
          part: 'vector-store',
          effect: 'recall goes by words alone, until the vector store is back',
        });
        checks.add(
          'index-refilled',
          () => {
            const { done, total } = parts.reindexing.lacking ?? { done: 0, total: 0 };
            if (done < total) throw new Error(`${done} of ${total} memories are in the index`);
          },
          {
            part: 'vector-index',
            effect: 'the index of memories is being filled: recall goes by words until then',
          },
        );
      },
      onApplicationBootstrap: () => {
        upkeep.start();
        models?.start(parts.messenger, parts.broadcasts);
        usage.reportTo(parts.messenger, parts.logger);
        sealed.start();
        lore.start();
      },
      beforeApplicationShutdown: async () => {
        await sealed.stop();
        await upkeep.stop();
        lore.stop();
      },
      // Only now have the jobs ended that ran here.
      onApplicationShutdown: async () => {
        models?.stop();
        await parts.writer.stop();
        parts.reader.close();
        await parts.uses.flush();
        await database.close();
        // Last: it may wait for Redis longer than a service has to end.
        await usage.close();
      },
    }),
  );
}
