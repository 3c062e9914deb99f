import {
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { Database } from '@kith/database';
import { createModelRoles, ModelChoices, openHosts } from '@kith/llm';
import { Broadcasts, Messenger } from '@kith/messaging';
import { DegradedStates, HealthChecks, LOGGER, METRICS } from '@kith/service-host';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { OperatorActions } from './audit/operator-actions.js';
import type { GatewayConfig } from './config.js';
import { OutboxDesk } from './delivery/outbox-desk.js';
import { Outbox } from './delivery/outbox.js';
import { ApiKeyGuard } from './doors/api-key.guard.js';
import { AuditController } from './doors/audit.controller.js';
import { AuditInterceptor } from './doors/audit.interceptor.js';
import { ChatController } from './doors/chat.controller.js';
import { Chat } from './doors/chat.service.js';
import { CompanionDirectory } from './doors/companion-directory.js';
import { CompanionsController } from './doors/companions.controller.js';
import { PersonasController } from './doors/personas.controller.js';
import { ConversationsController } from './doors/conversations.controller.js';
import { HealthController } from './doors/health.controller.js';
import { JobsController } from './doors/jobs.controller.js';
import { DocumentsController } from './doors/documents.controller.js';
import { LoreController } from './doors/lore.controller.js';
import { MemoriesController } from './doors/memories.controller.js';
import { ModelNames } from './doors/model-names.js';
import { ModelsController } from './doors/models.controller.js';
import { OutreachController } from './doors/outreach.controller.js';
import { PeopleController } from './doors/people.controller.js';
import { ProblemFilter } from './doors/problem-details.js';
import { TurnsController } from './doors/turns.controller.js';
import { Entrance } from './doors/entrance.js';
import { ERASE_LIMIT, RateLimit } from './doors/rate-limit.js';
import { SignInController } from './doors/sign-in.controller.js';
import { Receive } from './doors/receive.service.js';
import { ErasureRecords } from './erasure/erasure-records.js';
import { Erasures } from './erasure/erasures.service.js';
import { GatewayController } from './gateway.controller.js';
import { ModelChoiceRecords } from './models/model-choice-records.js';
import { ModelDesk } from './models/model-desk.js';
import { ApiKeys } from './people/api-keys.js';
import { Identities } from './people/identities.js';
import { PersonNames } from './people/person-names.js';
import { SignInCodes } from './people/sign-in-codes.js';
import { Retention } from './retention/retention.service.js';
import { Spend } from './safety/spend.js';
import { Bulkhead } from './turn/bulkhead.js';
import { Conversations } from './turn/conversations.js';
import { FollowUps } from './turn/follow-ups.js';
import { Forgetting } from './forgetting/forgetting.service.js';
import { LeftReplies } from './forgetting/left-replies.js';
import { PrivateTalk } from './forgetting/private-talk.js';
import { TalkRecords } from './forgetting/talk-records.js';
import { Inbox } from './turn/inbox.service.js';
import { Interruptions } from './turn/interruptions.js';
import { OpenTurns } from './turn/open-turns.js';
import { RecentTurns } from './turn/recent-turns.js';
import { Sweeper } from './turn/sweep.js';
import { TakeTurn } from './turn/take-turn.service.js';
import { TurnEvents } from './turn/turn-events.js';
import { Wake } from './turn/wake.js';

/** More than this is a script gone wrong, or somebody else's. */
const ERASURES_PER_MINUTE = 10;

export const DOORS = [
  ChatController,
  MemoriesController,
  DocumentsController,
  CompanionsController,
  LoreController,
  PersonasController,
  ConversationsController,
  TurnsController,
  PeopleController,
  SignInController,
  OutreachController,
  JobsController,
  ModelsController,
  AuditController,
  HealthController,
];

@Module({})
export class AppModule {
  static with(config: GatewayConfig): DynamicModule {
    const database = new Database(config.database);
    const choices = new ModelChoices();
    const desk = new ModelDesk(openHosts(config.models), choices, new ModelChoiceRecords(database));
    const roles = createModelRoles(config.models, { choices, onGone: (label) => desk.replace(label) });
    const recent = new RecentTurns();
    const limiter = new Redis(config.redis.url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      // No request waits for a limit longer than this: a Redis that is silent is one that is down.
      commandTimeout: 300,
      socketTimeout: 2_000,
    });
    limiter.on('error', () => undefined); // health says it; the limit is counted in memory meanwhile
    const { debounceMs, maxPromptTokens, maxReplyTokens, replyTimeoutMs, useTools } = config.turn;

    const { bootstrapKey, ownerName } = config.api;
    const ensureOperatorKey = async (keys: ApiKeys) => {
      if (bootstrapKey) await keys.ensureBootstrapKey(bootstrapKey, ownerName);
    };

    class Lifecycle
      implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
    {
      constructor(
        private readonly checks: HealthChecks,
        private readonly keys: ApiKeys,
        private readonly identities: Identities,
        private readonly names: PersonNames,
        private readonly interruptions: Interruptions,
        private readonly wake: Wake,
        private readonly sweeper: Sweeper,
        private readonly spend: Spend,
        private readonly followUps: FollowUps,
        private readonly erasures: Erasures,
        private readonly models: ModelDesk,
        private readonly entrance: Entrance,
        private readonly forgetting: Forgetting,
        private readonly logger: Logger,
      ) {}

      async onModuleInit(): Promise<void> {
        this.checks.add('postgres', () => database.ping());
        try {
          await ensureOperatorKey(this.keys);
        } catch (error) {
          this.logger.error({ err: error }, 'the operator key could not be stored');
          throw error;
        }
      }

      onApplicationBootstrap(): void {
        this.interruptions.listen();
        this.erasures.listen();
        for (const kept of [this.keys, this.identities, this.names]) kept.listen();
        void this.entrance.start();
        void this.spend.start();
        void this.models.start();
        this.sweeper.start();
        this.forgetting.start();
      }

      /** What is under way here ends here; what is not begun yet, another process finds. */
      async beforeApplicationShutdown(): Promise<void> {
        this.sweeper.stop();
        await this.forgetting.stop();
        this.spend.stop();
        this.models.stop();
        await this.wake.drain();
        await this.followUps.drain();
      }

      async onApplicationShutdown(): Promise<void> {
        limiter.disconnect();
        this.entrance.stop();
        await database.close();
      }
    }

    return {
      module: AppModule,
      controllers: [...DOORS, GatewayController],
      providers: [
        { provide: Database, useValue: database },
        { provide: ModelNames, useValue: new ModelNames(roles, desk) },
        {
          provide: ModelDesk,
          inject: [Messenger, Broadcasts, LOGGER],
          useFactory: (messenger: Messenger, broadcasts: Broadcasts, logger: Logger) =>
            desk.connect({ roles, messenger, broadcasts, logger }),
        },
        {
          provide: RateLimit,
          useValue: new RateLimit(limiter, config.redis.keyPrefix, config.api.requestsPerMinute),
        },
        {
          provide: ERASE_LIMIT,
          useValue: new RateLimit(limiter, `${config.redis.keyPrefix}erase-`, ERASURES_PER_MINUTE),
        },
        {
          provide: ApiKeys,
          inject: [Broadcasts],
          useFactory: (broadcasts: Broadcasts) => new ApiKeys(database, broadcasts),
        },
        {
          provide: Entrance,
          inject: [ApiKeys],
          useFactory: (keys: ApiKeys) => new Entrance(keys, config.api.requestsPerMinute, config.api.proxy),
        },
        {
          provide: SignInCodes,
          inject: [ApiKeys],
          useFactory: (keys: ApiKeys) => new SignInCodes(limiter, config.redis.keyPrefix, keys),
        },
        {
          provide: Identities,
          inject: [Broadcasts],
          useFactory: (broadcasts: Broadcasts) => new Identities(database, broadcasts),
        },
        {
          provide: PersonNames,
          inject: [Broadcasts],
          useFactory: (broadcasts: Broadcasts) => new PersonNames(database, broadcasts),
        },
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
          inject: [Messenger, LOGGER],
          useFactory: (messenger: Messenger, logger: Logger) => new FollowUps(messenger, logger),
        },
        {
          provide: Interruptions,
          inject: [Broadcasts],
          useFactory: (broadcasts: Broadcasts) => new Interruptions(broadcasts),
        },
        {
          provide: Spend,
          inject: [DegradedStates, LOGGER, METRICS],
          useFactory: (states: DegradedStates, logger: Logger, metrics: Registry) =>
            new Spend(database, config.spend, states, logger, metrics),
        },
        { provide: RecentTurns, useValue: recent },
        { provide: Bulkhead, useValue: new Bulkhead() },
        {
          provide: Wake,
          inject: [Messenger, TakeTurn, Bulkhead, LOGGER],
          useFactory: (messenger: Messenger, takeTurn: TakeTurn, bulkhead: Bulkhead, logger: Logger) =>
            new Wake(messenger, takeTurn, bulkhead, logger),
        },
        {
          provide: Inbox,
          inject: [Wake, Interruptions, Forgetting],
          useFactory: (wake: Wake, interruptions: Interruptions, forgetting: Forgetting) =>
            new Inbox(database, wake, interruptions, forgetting),
        },
        {
          provide: Forgetting,
          inject: [Messenger, LOGGER],
          useFactory: (messenger: Messenger, logger: Logger) =>
            new Forgetting(database, new TalkRecords(database), messenger, logger),
        },
        {
          provide: PrivateTalk,
          inject: [Messenger],
          useFactory: (messenger: Messenger) => new PrivateTalk(database, messenger),
        },
        {
          provide: Erasures,
          inject: [
            Messenger,
            Broadcasts,
            TurnEvents,
            Interruptions,
            ApiKeys,
            Identities,
            PersonNames,
            LOGGER,
          ],
          useFactory: (
            messenger: Messenger,
            broadcasts: Broadcasts,
            events: TurnEvents,
            interruptions: Interruptions,
            keys: ApiKeys,
            identities: Identities,
            names: PersonNames,
            logger: Logger,
          ) =>
            new Erasures({
              records: new ErasureRecords(database),
              ...{ messenger, broadcasts, events, interruptions, logger },
              minds: [keys, identities, names, recent],
              restoreOperatorKey: () => ensureOperatorKey(keys),
            }),
        },
        {
          provide: Retention,
          inject: [Messenger, Erasures, LOGGER],
          useFactory: (messenger: Messenger, erasures: Erasures, logger: Logger) =>
            new Retention(database, messenger, erasures, new LeftReplies(database), config.keepDays, logger),
        },
        {
          provide: Sweeper,
          inject: [Messenger, Wake, Erasures, Forgetting, LOGGER],
          useFactory: (
            messenger: Messenger,
            wake: Wake,
            erasures: Erasures,
            forgetting: Forgetting,
            logger: Logger,
          ) =>
            new Sweeper({
              database,
              messenger,
              wake,
              openTurns: new OpenTurns(database, messenger, logger),
              erasures,
              forgetting,
              logger,
            }),
        },
        {
          provide: OutboxDesk,
          inject: [Messenger],
          useFactory: (messenger: Messenger) => new OutboxDesk(database, messenger),
        },
        {
          provide: Outbox,
          inject: [Messenger],
          useFactory: (messenger: Messenger) => new Outbox(database, messenger),
        },
        {
          provide: TakeTurn,
          inject: [
            Messenger,
            PersonNames,
            TurnEvents,
            Interruptions,
            FollowUps,
            Spend,
            DegradedStates,
            LOGGER,
          ],
          useFactory: (
            messenger: Messenger,
            names: PersonNames,
            events: TurnEvents,
            interruptions: Interruptions,
            followUps: FollowUps,
            spend: Spend,
            states: DegradedStates,
            logger: Logger,
          ) =>
            new TakeTurn({
              database,
              messenger,
              roles,
              names,
              events,
              interruptions,
              followUps,
              recent,
              spend,
              states,
              logger,
              debounceMs,
              maxPromptTokens,
              maxReplyTokens,
              useTools,
              linkHosts: config.api.linkHosts,
            }),
        },
        {
          provide: Receive,
          inject: [Messenger, Inbox, Identities, Conversations],
          useFactory: (
            messenger: Messenger,
            inbox: Inbox,
            identities: Identities,
            conversations: Conversations,
          ) =>
            new Receive({
              database,
              messenger,
              inbox,
              identities,
              conversations,
              defaultCompanion: config.companion.default,
              debounceMs,
            }),
        },
        {
          provide: Chat,
          inject: [Inbox, Conversations, CompanionDirectory, TurnEvents],
          useFactory: (
            inbox: Inbox,
            conversations: Conversations,
            companions: CompanionDirectory,
            events: TurnEvents,
          ) => new Chat({ database, inbox, conversations, companions, events, replyTimeoutMs }),
        },
        {
          provide: APP_GUARD,
          inject: [Entrance, RateLimit],
          useFactory: (entrance: Entrance, limit: RateLimit) => new ApiKeyGuard(entrance, limit),
        },
        { provide: OperatorActions, useValue: new OperatorActions(database) },
        {
          provide: APP_INTERCEPTOR,
          inject: [OperatorActions, LOGGER],
          useFactory: (actions: OperatorActions, logger: Logger) => new AuditInterceptor(actions, logger),
        },
        { provide: APP_FILTER, inject: [LOGGER], useFactory: (logger: Logger) => new ProblemFilter(logger) },
        {
          provide: Lifecycle,
          inject: [
            ...[
              HealthChecks,
              ApiKeys,
              Identities,
              PersonNames,
              Interruptions,
              Wake,
              Sweeper,
              Spend,
              FollowUps,
              Erasures,
            ],
            ...[ModelDesk, Entrance, Forgetting, LOGGER],
          ],
          useFactory: (
            checks: HealthChecks,
            keys: ApiKeys,
            identities: Identities,
            names: PersonNames,
            interruptions: Interruptions,
            wake: Wake,
            sweeper: Sweeper,
            spend: Spend,
            followUps: FollowUps,
            erasures: Erasures,
            models: ModelDesk,
            entrance: Entrance,
            forgetting: Forgetting,
            logger: Logger,
          ) =>
            new Lifecycle(
              ...([checks, keys, identities, names, interruptions, wake, sweeper, spend] as const),
              ...([followUps, erasures, models, entrance, forgetting, logger] as const),
            ),
        },
      ],
    };
  }
}
