import type { DynamicModule } from '@nestjs/common';
import { Database } from '@kith/database';
import type { HookList } from '@kith/llm';
import { DegradedStates, HealthChecks, LOGGER, serviceModule } from '@kith/service-host';
import type { Config } from './config.js';
import { Entrance } from './entrance/entrance.js';
import { LIMITER } from './entrance/rate-limit.js';
import { Erasures } from './erasure/erasures.js';
import { ForgetOrders } from './forgetting/forget-orders.js';
import { GatewayController } from './gateway.controller.js';
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
import { ModelCatalog } from './models/model-catalog.js';
import { FollowUps } from './outcome/follow-ups.js';
import { ApiKeys } from './people/api-keys.js';
import { Clocks } from './people/clocks.js';
import { Identities } from './people/identities.js';
import { OperatorKey } from './people/operator-key.js';
import { SignInCodes } from './people/sign-in-codes.js';
import { SpendMeter } from './safety/spend-meter.js';
import { UsageRecords } from './safety/usage-records.js';
import { Interruptions } from './signals/interruptions.js';
import { noticeOtherKey } from './steps/notice-other-key.js';
import { ThoughtCipher } from './steps/thought-cipher.js';
import { ToolFolder } from './tools/outside/tool-folder.js';
import { TurnDispatcher } from './turn/turn-dispatcher.js';
import { providersOf } from './providers.js';
import { Sweeper } from './upkeep/sweeper.js';

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
  return serviceModule(
    { controllers: [...DOORS, GatewayController], providers: providersOf(config, hooks) },
    {
      database: Database,
      checks: HealthChecks,
      operatorKey: OperatorKey,
      keys: ApiKeys,
      identities: Identities,
      clocks: Clocks,
      limiter: LIMITER,
      signInCodes: SignInCodes,
      entrance: Entrance,
      spend: SpendMeter,
      usage: UsageRecords,
      models: ModelCatalog,
      cipher: ThoughtCipher,
      states: DegradedStates,
      forgetting: ForgetOrders,
      erasures: Erasures,
      interruptions: Interruptions,
      followUps: FollowUps,
      turns: TurnDispatcher,
      sweeper: Sweeper,
      tools: ToolFolder,
      logger: LOGGER,
    },
    ({ database, entrance, spend, usage, models, forgetting, sweeper, tools, logger, ...parts }) => ({
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
        void tools.start();
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
        await tools.stop();
        parts.limiter.disconnect();
        parts.signInCodes.close();
        entrance.stop();
        await database.close();
      },
    }),
  );
}
