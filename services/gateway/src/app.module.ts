import { Module, type DynamicModule, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { Database } from '@kith/database';
import { createModelRoles } from '@kith/llm';
import { Broadcasts, Messenger } from '@kith/messaging';
import { HealthChecks, LOGGER } from '@kith/service-host';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { GatewayConfig } from './config.js';
import { Outbox } from './delivery/outbox.js';
import { ApiKeyGuard } from './doors/api-key.guard.js';
import { ChatController } from './doors/chat.controller.js';
import { Chat } from './doors/chat.service.js';
import { CompanionDirectory } from './doors/companion-directory.js';
import { CompanionsController } from './doors/companions.controller.js';
import { ConversationsController } from './doors/conversations.controller.js';
import { HealthController } from './doors/health.controller.js';
import { MemoriesController } from './doors/memories.controller.js';
import { ModelNames } from './doors/model-names.js';
import { PeopleController } from './doors/people.controller.js';
import { ProblemFilter } from './doors/problem-details.js';
import { RateLimit } from './doors/rate-limit.js';
import { Receive } from './doors/receive.service.js';
import { GatewayController } from './gateway.controller.js';
import { ApiKeys } from './people/api-keys.js';
import { Identities } from './people/identities.js';
import { Conversations } from './turn/conversations.js';
import { FollowUps } from './turn/follow-ups.js';
import { TakeTurn } from './turn/take-turn.service.js';
import { TurnEvents } from './turn/turn-events.js';

export const DOORS = [
  ChatController,
  MemoriesController,
  CompanionsController,
  ConversationsController,
  PeopleController,
  HealthController,
];

@Module({})
export class AppModule {
  static with(config: GatewayConfig): DynamicModule {
    const database = new Database(config.database);
    const roles = createModelRoles(config.models);
    const limiter = new Redis(config.redis.url, { enableOfflineQueue: false, maxRetriesPerRequest: 0 });
    limiter.on('error', () => undefined); // health says it; the limit is counted in memory meanwhile
    const { debounceMs, maxPromptTokens, maxReplyTokens, replyTimeoutMs } = config.turn;

    class Lifecycle implements OnModuleInit, OnApplicationShutdown {
      constructor(
        private readonly checks: HealthChecks,
        private readonly keys: ApiKeys,
        private readonly logger: Logger,
      ) {}

      async onModuleInit(): Promise<void> {
        this.checks.add('postgres', () => database.ping());
        const { bootstrapKey, ownerName } = config.api;
        if (!bootstrapKey) return;
        try {
          await this.keys.ensureBootstrapKey(bootstrapKey, ownerName);
        } catch (error) {
          this.logger.error({ err: error }, 'the operator key could not be stored');
          throw error;
        }
      }

      async onApplicationShutdown(): Promise<void> {
        limiter.disconnect();
        await database.close();
      }
    }

    return {
      module: AppModule,
      controllers: [...DOORS, GatewayController],
      providers: [
        { provide: Database, useValue: database },
        { provide: ModelNames, useValue: new ModelNames(roles) },
        {
          provide: RateLimit,
          useValue: new RateLimit(limiter, config.redis.keyPrefix, config.api.requestsPerMinute),
        },
        { provide: ApiKeys, useValue: new ApiKeys(database) },
        { provide: Identities, useValue: new Identities(database) },
        { provide: Conversations, useValue: new Conversations(database) },
        {
          provide: TurnEvents,
          inject: [Broadcasts],
          useFactory: (broadcasts: Broadcasts) => new TurnEvents(broadcasts),
        },
        {
          provide: CompanionDirectory,
          inject: [Messenger],
          useFactory: (messenger: Messenger) => new CompanionDirectory(messenger, config.companion.default),
        },
        {
          provide: FollowUps,
          inject: [Messenger],
          useFactory: (messenger: Messenger) => new FollowUps(database, messenger),
        },
        {
          provide: Outbox,
          inject: [Messenger],
          useFactory: (messenger: Messenger) => new Outbox(database, messenger),
        },
        {
          provide: TakeTurn,
          inject: [Messenger, TurnEvents, FollowUps, LOGGER],
          useFactory: (messenger: Messenger, events: TurnEvents, followUps: FollowUps, logger: Logger) =>
            new TakeTurn({
              database,
              messenger,
              roles,
              events,
              followUps,
              logger,
              debounceMs,
              maxPromptTokens,
              maxReplyTokens,
            }),
        },
        {
          provide: Receive,
          inject: [Messenger, Identities, Conversations, LOGGER],
          useFactory: (
            messenger: Messenger,
            identities: Identities,
            conversations: Conversations,
            logger: Logger,
          ) =>
            new Receive({
              database,
              messenger,
              logger,
              identities,
              conversations,
              defaultCompanion: config.companion.default,
              debounceMs,
            }),
        },
        {
          provide: Chat,
          inject: [Messenger, Conversations, CompanionDirectory, TurnEvents, LOGGER],
          useFactory: (
            messenger: Messenger,
            conversations: Conversations,
            companions: CompanionDirectory,
            events: TurnEvents,
            logger: Logger,
          ) => new Chat({ database, messenger, logger, conversations, companions, events, replyTimeoutMs }),
        },
        {
          provide: APP_GUARD,
          inject: [ApiKeys, RateLimit],
          useFactory: (keys: ApiKeys, limit: RateLimit) => new ApiKeyGuard(keys, limit),
        },
        { provide: APP_FILTER, inject: [LOGGER], useFactory: (logger: Logger) => new ProblemFilter(logger) },
        {
          provide: Lifecycle,
          inject: [HealthChecks, ApiKeys, LOGGER],
          useFactory: (checks: HealthChecks, keys: ApiKeys, logger: Logger) =>
            new Lifecycle(checks, keys, logger),
        },
      ],
    };
  }
}
