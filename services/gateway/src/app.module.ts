import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Database } from '@kith/database';
import type { HookList } from '@kith/llm';
import { HealthChecks, LOGGER } from '@kith/service-host';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { Entrance } from './entrance/entrance.js';
import { LIMITER } from './entrance/rate-limit.js';
import { Erasures } from './erasure/erasures.js';
import { ForgetOrders } from './forgetting/forget-orders.js';
import { GatewayController } from './gateway.controller.js';
import { AuditController } from './http/audit.controller.js';
import { ChatController } from './http/chat.controller.js';
import { CompanionsController } from './http/companions.controller.js';
import { ConversationsController } from './http/conversations.controller.js';
import { DocumentsController } from './http/documents.controller.js';
import { HealthController } from './http/health.controller.js';
import { JobsController } from './http/jobs.controller.js';
import { KeysController } from './http/keys.controller.js';
import { LoreController } from './http/lore.controller.js';
import { TasksController } from './http/tasks.controller.js';
import { MemoriesController } from './http/memories.controller.js';
import { ModelsController } from './http/models.controller.js';
import { ToolsController } from './http/tools.controller.js';
import { OutreachController } from './http/outreach.controller.js';
import { MeController, PeopleController } from './http/people.controller.js';
import { CharactersController } from './http/characters.controller.js';
import { PersonasController } from './http/personas.controller.js';
import { SignInController } from './http/sign-in.controller.js';
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
import { ToolFolder } from './tools/outside/tool-folder.js';
import { TurnDispatcher } from './turn/turn-dispatcher.js';
import { providersOf } from './providers.js';
import { Sweeper } from './upkeep/sweeper.js';

export const DOORS = [
  ChatController,
  MemoriesController,
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

@Module({})
export class AppModule
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  constructor(
    private readonly database: Database,
    private readonly checks: HealthChecks,
    private readonly operatorKey: OperatorKey,
    private readonly keys: ApiKeys,
    private readonly identities: Identities,
    private readonly clocks: Clocks,
    @Inject(LIMITER) private readonly limiter: Redis,
    private readonly signInCodes: SignInCodes,
    private readonly entrance: Entrance,
    private readonly spend: SpendMeter,
    private readonly usage: UsageRecords,
    private readonly models: ModelCatalog,
    private readonly forgetting: ForgetOrders,
    private readonly erasures: Erasures,
    private readonly interruptions: Interruptions,
    private readonly followUps: FollowUps,
    private readonly turns: TurnDispatcher,
    private readonly sweeper: Sweeper,
    private readonly tools: ToolFolder,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  static with(config: Config, hooks: HookList): DynamicModule {
    return {
      module: AppModule,
      controllers: [...DOORS, GatewayController],
      providers: providersOf(config, hooks),
    };
  }

  async onModuleInit(): Promise<void> {
    this.checks.add('postgres', () => this.database.ping());
    try {
      if (!(await this.operatorKey.ensure()))
        this.logger.warn(
          'KITH_KEY was revoked: empty its line in .env, then ./scripts/down and ./scripts/up, which makes a new one',
        );
    } catch (error) {
      this.logger.error({ err: error }, 'the operator key could not be stored');
      throw error;
    }
  }

  onApplicationBootstrap(): void {
    for (const listener of [this.interruptions, this.erasures, this.keys, this.identities, this.clocks])
      listener.listen();
    void this.entrance.start();
    void this.spend.start();
    this.usage.start(this.logger);
    void this.models.start();
    void this.tools.start();
    this.sweeper.start();
    this.forgetting.start();
  }

  /** Ends what is under way here. Another process finds what has not begun yet. */
  async beforeApplicationShutdown(): Promise<void> {
    this.spend.stop();
    this.models.stop();
    // At once: none begins a turn or a step while another ends.
    await Promise.all([this.turns.drain(), this.sweeper.stop(), this.forgetting.stop()]);
  }

  /** Only now have the jobs ended that ran here, turns among them: they used tools, and follow-ups came of them. */
  async onApplicationShutdown(): Promise<void> {
    await this.followUps.drain();
    await this.usage.book.drain();
    await this.tools.stop();
    this.limiter.disconnect();
    this.signInCodes.close();
    this.entrance.stop();
    await this.database.close();
  }
}
