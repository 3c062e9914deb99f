import type { DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { HookList } from '@kith/llm';
import { type Host, provide, serviceModule } from '@kith/service-host';
import type { Config } from './config.js';
import { ProblemFilter } from './entrance/problem-filter.js';
import { GatewayController } from './gateway.controller.js';
import { ApiKeyGuard } from './http/api-key.guard.js';
import { AuditInterceptor } from './http/audit.interceptor.js';
import { AuditController, JobsController, ModelsController } from './http/operators.controller.js';
import { ChatController } from './http/chat.controller.js';
import { CompanionsController } from './http/companions.controller.js';
import { ConversationsController } from './http/conversations.controller.js';
import { DocumentsController } from './http/documents.controller.js';
import { ForgettingController } from './http/forgetting.controller.js';
import { HealthController } from './http/health.controller.js';
import { KeysController, SignInController } from './http/keys.controller.js';
import { LoreController } from './http/lore.controller.js';
import { TasksController } from './http/tasks.controller.js';
import { MemoriesController } from './http/memories.controller.js';
import { ToolsController } from './http/tools.controller.js';
import { OutreachController } from './http/outreach.controller.js';
import { MeController } from './http/me.controller.js';
import { PeopleController } from './http/people.controller.js';
import { CharactersController } from './http/characters.controller.js';
import { PersonasController } from './http/personas.controller.js';
import { OutboxController, TurnsController } from './http/turns.controller.js';
import { makeParts, PARTS } from './parts.js';
import { noticeOtherKey } from './steps/notice-other-key.js';

export const DOORS = [
  ChatController,
  MemoriesController,
  ForgettingController,
  TasksController,
  DocumentsController,
  CompanionsController,
  LoreController,
  CharactersController,
  PersonasController,
  ConversationsController,
  TurnsController,
  OutboxController,
  MeController,
  PeopleController,
  KeysController,
  SignInController,
  OutreachController,
  JobsController,
  ModelsController,
  ToolsController,
  AuditController,
  HealthController,
];

export function appModule(config: Config, hooks: HookList): DynamicModule {
  const make = (host: Host) => makeParts(config, hooks, host);
  const providers = [
    provide(APP_GUARD, PARTS, ({ entrance, limit }) => new ApiKeyGuard(entrance, limit)),
    provide(APP_INTERCEPTOR, PARTS, ({ actions, logger }) => new AuditInterceptor(actions, logger)),
    provide(APP_FILTER, PARTS, ({ logger }) => new ProblemFilter(logger)),
  ];
  return serviceModule(
    { key: PARTS, make, controllers: [...DOORS, GatewayController], providers },
    ({ database, entrance, spend, usage, models, forgetting, sweeper, toolFolder, logger, ...parts }) => ({
      onModuleInit: async () => {
        parts.checks.add('postgres', () => database.ping());
        try {
          if (!(await parts.operatorKey.ensure()))
            logger.warn(
              'KITH_KEY was revoked: empty its line in .env, then ./scripts/down and ./scripts/up, which makes a new one',
            );
        } catch (error) {
          logger.error({ err: error }, 'the operator key could not be stored');
          throw error;
        }
        await noticeOtherKey(database, parts.cipher, parts.states);
      },
      onApplicationBootstrap: () => {
        const { interruptions, erasures, keys, identities, clocks } = parts;
        for (const listener of [interruptions, erasures, keys, identities, clocks]) listener.listen();
        void entrance.start();
        void spend.start();
        usage.start(logger);
        void models.start();
        void toolFolder.start();
        sweeper.start();
        forgetting.start();
      },
      // Ends what is under way here. Another process finds what has not begun yet.
      beforeApplicationShutdown: async () => {
        spend.stop();
        models.stop();
        // At once: none begins a turn or a step while another ends.
        await Promise.all([parts.turns.drain(), sweeper.stop(), forgetting.stop()]);
      },
      // Only now have the jobs ended that ran here, turns among them: they used tools, and follow-ups came of them.
      onApplicationShutdown: async () => {
        await parts.followUps.drain();
        await usage.book.drain();
        await toolFolder.stop();
        parts.limiter.disconnect();
        parts.signInCodes.close();
        entrance.stop();
        await database.close();
      },
    }),
  );
}
