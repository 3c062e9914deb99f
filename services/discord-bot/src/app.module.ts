import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Messenger } from '@kith/messaging';
import { HealthChecks, LOGGER } from '@kith/service-host';
import type { Logger } from 'pino';
import { CommandDesk } from './commands/command-desk.js';
import { COMMANDS } from './commands/definitions.js';
import type { Config } from './config.js';
import { DiscordApi } from './connection/discord-api.js';
import { DiscordConnection } from './connection/discord-connection.js';
import { HandOver } from './conversation/hand-over.js';
import { describeMessage } from './conversation/describe-message.js';
import { readMessage } from './conversation/read-message.js';
import { Typing } from './conversation/typing.js';
import { Delivery } from './delivery/delivery.js';
import { deliveryStandstill } from './delivery/delivery-standstill.js';
import { DiscordBotController } from './discord-bot.controller.js';

@Module({})
export class AppModule implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @Inject(DiscordConnection) private readonly connection: DiscordConnection,
    @Inject(DiscordApi) private readonly api: DiscordApi,
    @Inject(HandOver) private readonly handOver: HandOver,
    @Inject(CommandDesk) private readonly desk: CommandDesk,
    @Inject(Typing) private readonly typing: Typing,
    @Inject(HealthChecks) private readonly checks: HealthChecks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  static with({ discord, defaultCompanion }: Config): DynamicModule {
    return {
      module: AppModule,
      controllers: [DiscordBotController],
      providers: [
        {
          provide: DiscordConnection,
          inject: [LOGGER],
          useFactory: (logger: Logger) => new DiscordConnection(discord, logger),
        },
        { provide: DiscordApi, useFactory: () => new DiscordApi(discord) },
        {
          provide: Typing,
          inject: [DiscordApi, LOGGER],
          useFactory: (api: DiscordApi, logger: Logger) =>
            new Typing((channelId) => api.showTyping(channelId), logger),
        },
        {
          provide: HandOver,
          inject: [Messenger, Typing, LOGGER],
          useFactory: (messenger: Messenger, typing: Typing, logger: Logger) =>
            new HandOver(messenger, typing, logger),
        },
        {
          provide: Delivery,
          inject: [Messenger, DiscordApi, DiscordConnection, Typing, LOGGER],
          useFactory: (
            messenger: Messenger,
            api: DiscordApi,
            connection: DiscordConnection,
            typing: Typing,
            logger: Logger,
          ) => new Delivery(messenger, api, () => deliveryStandstill(connection.status()), typing, logger),
        },
        {
          provide: CommandDesk,
          inject: [Messenger, DiscordConnection, LOGGER],
          useFactory: (messenger: Messenger, connection: DiscordConnection, logger: Logger) =>
            new CommandDesk(messenger, defaultCompanion, () => connection.status(), logger),
        },
      ],
    };
  }

  onApplicationBootstrap(): void {
    if (this.connection.isWanted) {
      this.checks.add('discord', async () => {
        const { state, problem } = this.connection.status();
        if (state !== 'ready') throw new Error(problem ?? state);
      });
    }
    this.connection.start({
      onReady: (client) => {
        client.application.commands.set(COMMANDS).catch((error: unknown) => {
          this.logger.error({ reason: String(error) }, 'slash commands not registered');
        });
      },
      onMessage: (message, botId) => {
        const reading = readMessage(describeMessage(message), botId);
        if (reading.kind === 'turn') this.handOver.take(reading.request);
        else this.logger.debug({ messageId: message.id, reason: reading.reason }, 'message left alone');
      },
      onInteraction: (interaction) => this.desk.take(interaction),
    });
  }

  /** Hears nothing new, and finishes what was heard. Deliveries under way end beside this. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.connection.stop();
    await Promise.all([this.handOver.drain(), this.desk.drain()]);
    this.typing.stop();
  }

  onApplicationShutdown(): void {
    this.api.close();
  }
}
