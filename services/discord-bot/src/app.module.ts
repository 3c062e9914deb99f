import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Database, PersonRows } from '@kith/database';
import { Broadcasts, Messenger } from '@kith/messaging';
import { DegradedStates, HealthChecks, LOGGER, METRICS } from '@kith/service-host';
import { GatewayDispatchEvents } from 'discord-api-types/v10';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { CommandDesk } from './commands/command-desk.js';
import { COMMANDS } from './commands/definitions.js';
import { registerCommands } from './commands/register-commands.js';
import type { Config } from './config.js';
import { CatchingUp } from './connection/catch-up.js';
import { Cursors } from './connection/cursors.js';
import { DiscordApi } from './connection/discord-api.js';
import { DiscordConnection } from './connection/discord-connection.js';
import { channelsOf } from './connection/ears-of.js';
import { InvalidRequests } from './connection/invalid-requests.js';
import { Leadership } from './connection/leadership.js';
import { PassedOver } from './connection/passed-over.js';
import { ResumePoint } from './connection/resume-point.js';
import { Servers } from './connection/servers.js';
import { HandOver } from './conversation/hand-over.js';
import { readEvent } from './conversation/read-event.js';
import { Typing } from './conversation/typing.js';
import { KeyNotices } from './delivery/key-notices.js';
import { LiveNotes } from './delivery/live-notes.js';
import { LiveReplies } from './delivery/live-replies.js';
import { Delivery } from './delivery/delivery.js';
import { deliveryStandstill } from './delivery/delivery-standstill.js';
import { Signs } from './delivery/signs.js';
import { DiscordBotController } from './discord-bot.controller.js';

/** What the bot keeps of people. */
const OF_PEOPLE = ['discord_cursors', 'discord_live_replies'];

@Module({})
export class AppModule implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(
    @Inject(DiscordConnection) private readonly connection: DiscordConnection,
    @Inject(DiscordApi) private readonly api: DiscordApi,
    @Inject(Database) private readonly database: Database,
    @Inject(Cursors) private readonly cursors: Cursors,
    @Inject(ResumePoint) private readonly resumePoint: ResumePoint,
    @Inject(Servers) private readonly servers: Servers,
    @Inject(LiveReplies) private readonly live: LiveReplies,
    @Inject(CatchingUp) private readonly catchingUp: CatchingUp,
    @Inject(HandOver) private readonly handOver: HandOver,
    @Inject(CommandDesk) private readonly desk: CommandDesk,
    @Inject(Typing) private readonly typing: Typing,
    @Inject(HealthChecks) private readonly checks: HealthChecks,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  static with(config: Config): DynamicModule {
    const { discord, database: settings, streamEdits, defaultCompanion, catchUp } = config;
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
              help: 'refusals that Discord counts towards a ban, in the last ten minutes',
              registers: [registry],
              collect() {
                this.set(requests.count);
              },
            });
            return requests;
          },
        },
        {
          provide: Leadership,
          inject: [LOGGER],
          useFactory: (logger: Logger) => new Leadership(database, logger),
        },
        {
          provide: ResumePoint,
          inject: [Leadership, LOGGER],
          useFactory: (leadership: Leadership, logger: Logger) => new ResumePoint(leadership, logger),
        },
        {
          provide: DiscordConnection,
          inject: [Leadership, ResumePoint, InvalidRequests, LOGGER],
          useFactory: (
            leadership: Leadership,
            resumePoint: ResumePoint,
            requests: InvalidRequests,
            logger: Logger,
          ) => new DiscordConnection(discord, leadership, resumePoint, requests, logger),
        },
        {
          provide: DiscordApi,
          inject: [InvalidRequests],
          useFactory: (requests: InvalidRequests) => new DiscordApi(discord, requests),
        },
        { provide: Database, useValue: database },
        { provide: PersonRows, useValue: new PersonRows(database, OF_PEOPLE) },
        {
          provide: Cursors,
          inject: [LOGGER],
          useFactory: (logger: Logger) => new Cursors(database, logger),
        },
        { provide: LiveNotes, useValue: new LiveNotes(database) },
        {
          provide: Servers,
          inject: [Messenger, Cursors, LiveNotes, LOGGER],
          useFactory: (messenger: Messenger, cursors: Cursors, notes: LiveNotes, logger: Logger) =>
            new Servers(database, messenger, cursors, notes, logger),
        },
        {
          provide: LiveReplies,
          inject: [Broadcasts, Messenger, LiveNotes, DiscordApi, LOGGER],
          useFactory: (...parts: ConstructorParameters<typeof LiveReplies>) => new LiveReplies(...parts),
        },
        {
          provide: CatchingUp,
          inject: [Cursors, HandOver, Servers, METRICS, DegradedStates, LOGGER],
          useFactory: (
            cursors: Cursors,
            handOver: HandOver,
            servers: Servers,
            metrics: Registry,
            states: DegradedStates,
            logger: Logger,
          ) => {
            const limits = { maxAgeMs: catchUp.minutes * 60_000, maxMessages: catchUp.messages };
            const passedOver = new PassedOver(metrics, states, logger);
            return new CatchingUp(cursors, handOver, servers, passedOver, limits, logger);
          },
        },
        {
          provide: Signs,
          inject: [DiscordApi, DiscordConnection, LOGGER],
          useFactory: (api: DiscordApi, connection: DiscordConnection, logger: Logger) =>
            new Signs(api, (channelId) => connection.reach(channelId), logger),
        },
        {
          provide: Typing,
          inject: [DiscordApi, LOGGER],
          useFactory: (api: DiscordApi, logger: Logger) =>
            new Typing((channelId) => api.showTyping(channelId), logger),
        },
        {
          provide: HandOver,
          inject: [Messenger, Cursors, Typing, LiveReplies, Signs, LOGGER],
          useFactory: (
            messenger: Messenger,
            cursors: Cursors,
            typing: Typing,
            live: LiveReplies,
            signs: Signs,
            logger: Logger,
          ) => new HandOver(messenger, cursors, typing, streamEdits ? live : null, signs, logger),
        },
        {
          provide: Delivery,
          inject: [
            ...[Messenger, DiscordApi, DiscordConnection, InvalidRequests],
            ...[Typing, LiveReplies, Cursors, Signs, LOGGER],
          ],
          useFactory: (
            messenger: Messenger,
            api: DiscordApi,
            connection: DiscordConnection,
            requests: InvalidRequests,
            typing: Typing,
            live: LiveReplies,
            cursors: Cursors,
            signs: Signs,
            logger: Logger,
          ) => {
            const standstill = () => deliveryStandstill(connection.status(), requests.isTooMany);
            return new Delivery(messenger, api, standstill, typing, live, cursors, signs, logger);
          },
        },
        {
          provide: KeyNotices,
          inject: [Messenger, DiscordApi, LOGGER],
          useFactory: (...parts: ConstructorParameters<typeof KeyNotices>) => new KeyNotices(...parts),
        },
        {
          provide: CommandDesk,
          inject: [Messenger, DiscordConnection, Cursors, LOGGER],
          useFactory: (
            messenger: Messenger,
            connection: DiscordConnection,
            cursors: Cursors,
            logger: Logger,
          ) => new CommandDesk(messenger, defaultCompanion, () => connection.status(), cursors, logger),
        },
      ],
    };
  }

  onApplicationBootstrap(): void {
    this.checks.add('postgres', () => this.database.ping());
    this.cursors.start();
    this.resumePoint.start();
    this.live.start();
    if (this.connection.isWanted) {
      this.checks.add('discord', async () => {
        const { state, problem } = this.connection.status();
        if (state !== 'ready' && state !== 'standby') throw new Error(problem ?? state);
      });
    }
    this.connection.start({
      onReady: (client) => {
        const register = () => client.application.commands.set(COMMANDS);
        void registerCommands(register, this.stopping.signal, this.logger);
      },
      onSessionBegins: () => this.handOver.hold(),
      onSession: (client, listed) => {
        void this.catchingUp.begin(client, this.stopping.signal);
        void this.servers.compare(listed, (id) => channelsOf(client, id), this.stopping.signal);
      },
      onEvent: async (event, ears) => {
        if (event.t === GatewayDispatchEvents.MessageCreate && event.d.guild_id !== undefined) {
          void this.servers.hear(event.d.guild_id, event.d.channel_id);
        }
        const told = readEvent(event, ears).map(({ where, heard }) => this.handOver.take(where, heard));
        return (await Promise.all(told)).every(Boolean);
      },
      onInteraction: (interaction) => this.desk.take(interaction),
      onAccess: (client, guildId) => this.catchingUp.accessChanged(client, guildId, this.stopping.signal),
      onJoin: (serverId, channelIds) => void this.servers.join(serverId, channelIds),
      onLeave: (serverId, channelIds) => void this.servers.leave(serverId, channelIds),
    });
  }

  /** Hears nothing new, and finishes what was heard. Deliveries under way end beside this. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.connection.stop();
    await Promise.all([this.handOver.drain(), this.desk.drain()]);
    await this.cursors.stop();
    await this.resumePoint.stop();
    await this.live.stop();
    this.typing.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    this.api.close();
    await this.database.close();
  }
}
