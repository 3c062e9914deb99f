import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Database } from '@kith/database';
import { Broadcasts, Messenger } from '@kith/messaging';
import { HealthChecks, LOGGER, METRICS } from '@kith/service-host';
import type { Message } from 'discord.js';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { CommandDesk } from './commands/command-desk.js';
import { COMMANDS } from './commands/definitions.js';
import type { Config } from './config.js';
import { CatchingUp } from './connection/catch-up.js';
import { Cursors } from './connection/cursors.js';
import { DiscordApi } from './connection/discord-api.js';
import { DiscordConnection } from './connection/discord-connection.js';
import { InvalidRequests } from './connection/invalid-requests.js';
import { Leadership } from './connection/leadership.js';
import { HandOver, type Heard } from './conversation/hand-over.js';
import { describeMessage } from './conversation/describe-message.js';
import { readMessage } from './conversation/read-message.js';
import { Typing } from './conversation/typing.js';
import { LiveNotes } from './delivery/live-notes.js';
import { LiveReplies } from './delivery/live-replies.js';
import { Delivery } from './delivery/delivery.js';
import { deliveryStandstill } from './delivery/delivery-standstill.js';
import { DiscordBotController } from './discord-bot.controller.js';

@Module({})
export class AppModule implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(
    @Inject(DiscordConnection) private readonly connection: DiscordConnection,
    @Inject(DiscordApi) private readonly api: DiscordApi,
    @Inject(Database) private readonly database: Database,
    @Inject(Cursors) private readonly cursors: Cursors,
    @Inject(LiveReplies) private readonly live: LiveReplies,
    @Inject(CatchingUp) private readonly catchingUp: CatchingUp,
    @Inject(HandOver) private readonly handOver: HandOver,
    @Inject(CommandDesk) private readonly desk: CommandDesk,
    @Inject(Typing) private readonly typing: Typing,
    @Inject(HealthChecks) private readonly checks: HealthChecks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  static with({ discord, database: settings, streamEdits, defaultCompanion }: Config): DynamicModule {
    const database = new Database(settings);
    return {
      module: AppModule,
      controllers: [DiscordBotController],
      providers: [
        {
          provide: InvalidRequests,
          inject: [LOGGER, METRICS],
          useFactory: (logger: Logger, registry: Registry) => {
            const requests = new InvalidRequests((count) =>
              logger.error(
                { count },
                'Discord refuses many requests: it bans an address at 10,000 in ten minutes',
              ),
            );
            new Gauge({
              name: 'kith_discord_invalid_requests',
              help: 'answers of 401, 403 and 429 in the last ten minutes',
              registers: [registry],
              collect() {
                this.set(requests.count);
              },
            });
            return requests;
          },
        },
        {
          provide: DiscordConnection,
          inject: [InvalidRequests, LOGGER],
          useFactory: (requests: InvalidRequests, logger: Logger) =>
            new DiscordConnection(discord, new Leadership(database, logger), requests, logger),
        },
        {
          provide: DiscordApi,
          inject: [InvalidRequests],
          useFactory: (requests: InvalidRequests) => new DiscordApi(discord, requests),
        },
        { provide: Database, useValue: database },
        {
          provide: Cursors,
          inject: [LOGGER],
          useFactory: (logger: Logger) => new Cursors(database, logger),
        },
        {
          provide: LiveReplies,
          inject: [Broadcasts, Messenger, DiscordApi, LOGGER],
          useFactory: (broadcasts: Broadcasts, messenger: Messenger, api: DiscordApi, logger: Logger) =>
            new LiveReplies(broadcasts, messenger, new LiveNotes(database), api, logger),
        },
        {
          provide: CatchingUp,
          inject: [Cursors, HandOver, LOGGER],
          useFactory: (cursors: Cursors, handOver: HandOver, logger: Logger) =>
            new CatchingUp(cursors, handOver, heardIn, logger),
        },
        {
          provide: Typing,
          inject: [DiscordApi, LOGGER],
          useFactory: (api: DiscordApi, logger: Logger) =>
            new Typing((channelId) => api.showTyping(channelId), logger),
        },
        {
          provide: HandOver,
          inject: [Messenger, Cursors, Typing, LiveReplies, LOGGER],
          useFactory: (
            messenger: Messenger,
            cursors: Cursors,
            typing: Typing,
            live: LiveReplies,
            logger: Logger,
          ) => new HandOver(messenger, cursors, typing, streamEdits ? live : null, logger),
        },
        {
          provide: Delivery,
          inject: [Messenger, DiscordApi, DiscordConnection, InvalidRequests, Typing, LiveReplies, LOGGER],
          useFactory: (
            messenger: Messenger,
            api: DiscordApi,
            connection: DiscordConnection,
            requests: InvalidRequests,
            typing: Typing,
            live: LiveReplies,
            logger: Logger,
          ) => {
            const standstill = () => deliveryStandstill(connection.status(), requests.isTooMany);
            return new Delivery(messenger, api, standstill, typing, live, logger);
          },
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
    this.checks.add('postgres', () => this.database.ping());
    this.cursors.start();
    this.live.start();
    if (this.connection.isWanted) {
      this.checks.add('discord', async () => {
        const { state, problem } = this.connection.status();
        if (state !== 'ready' && state !== 'standby') throw new Error(problem ?? state);
      });
    }
    this.connection.start({
      onReady: (client) => {
        client.application.commands.set(COMMANDS).catch((error: unknown) => {
          this.logger.error({ reason: String(error) }, 'slash commands not registered');
        });
      },
      onSessionBegins: () => this.handOver.hold(),
      onSession: (client) => void this.catchingUp.begin(client, this.stopping.signal),
      onMessage: (message, botId) => this.handOver.take(whereOf(message), heardIn(message, botId)),
      onEdit: (message, botId) => {
        const reading = readMessage(describeMessage(message), botId);
        // An edit that leaves no words leaves nothing to answer.
        if (reading.kind === 'turn' || reading.reason === 'no words') {
          const text = reading.kind === 'turn' ? reading.request.text : null;
          this.handOver.take(whereOf(message), revisionOf(message.id, text));
        }
      },
      onDelete: (messageId, where) => this.handOver.take(where, revisionOf(messageId, null)),
      onInteraction: (interaction) => this.desk.take(interaction),
    });
  }

  /** Hears nothing new, and finishes what was heard. Deliveries under way end beside this. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.connection.stop();
    await Promise.all([this.handOver.drain(), this.desk.drain()]);
    await this.cursors.stop();
    await this.live.stop();
    this.typing.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    this.api.close();
    await this.database.close();
  }
}

function whereOf(message: Message): { channelId: string; isDirect: boolean } {
  return { channelId: message.channelId, isDirect: message.guildId === null };
}

function heardIn(message: Message, botId: string): Heard {
  const { id } = message;
  const reading = readMessage(describeMessage(message), botId);
  return reading.kind === 'turn'
    ? { kind: 'message', id, request: reading.request }
    : { kind: 'nothing', id };
}

function revisionOf(messageId: string, text: string | null): Heard {
  return { kind: 'revision', revision: { door: 'discord', messageId, text } };
}
