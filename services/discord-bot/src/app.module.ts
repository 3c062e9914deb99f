import type { DynamicModule, Provider } from '@nestjs/common';
import { Database, PersonRows } from '@kith/database';
import { Broadcasts, Messenger } from '@kith/messaging';
import {
  DegradedStates,
  HealthChecks,
  LOGGER,
  METRICS,
  provide,
  provideClass,
  serviceModule,
  type Token,
  value,
} from '@kith/service-host';
import { CATCH_UP_PACE, CatchUpReader, type CatchUpPace } from './catch-up/catch-up-reader.js';
import { ReadSlots } from './catch-up/read-slots.js';
import { Servers } from './catch-up/servers.js';
import { SkippedMessages } from './catch-up/skipped-messages.js';
import { CommandDesk } from './commands/desk/command-desk.js';
import type { Config } from './config.js';
import { DiscordConnection } from './connection/discord-connection.js';
import { Leadership } from './connection/leadership.js';
import { ResumePoint } from './connection/resume-point.js';
import type { SendFailure } from './delivery/classify-failure.js';
import { Deletions } from './delivery/deletions.js';
import { Delivery } from './delivery/delivery.js';
import { deliveryStandstill } from './delivery/delivery-standstill.js';
import { KeyNotices } from './delivery/key-notices.js';
import { LiveClearUp } from './delivery/live-clear-up.js';
import { LiveNotes } from './delivery/live-notes.js';
import { LIVE_PACE, type LivePace } from './delivery/live-pace.js';
import { LiveReplies } from './delivery/live-replies.js';
import { ReplySender } from './delivery/reply-sender.js';
import { Signs } from './delivery/signs.js';
import { Typing } from './delivery/typing.js';
import { DiscordBotController } from './discord-bot.controller.js';
import { HandOver } from './intake/hand-over.js';
import { MessageIntake } from './intake/message-intake.js';
import { Cursors } from './places/cursors.js';
import { DiscordApi } from './rest/discord-api.js';
import { InvalidRequests } from './rest/invalid-requests.js';
import { EventRouter } from './routing/event-router.js';

/** Tells why nothing can be sent right now; undefined when it can. */
const STANDSTILL: Token<() => SendFailure | undefined> = Symbol('STANDSTILL');
/** Tables with rows of people. */
const OF_PEOPLE = ['discord_cursors', 'discord_live_replies'];

/** Paces of waiting for real time, which tests shorten. */
export interface Paces {
  live: LivePace;
  catchUp: CatchUpPace;
}

export function appModule(config: Config, paces: Partial<Paces> = {}): DynamicModule {
  return serviceModule(
    {
      controllers: [DiscordBotController],
      providers: providersOf(config, { live: LIVE_PACE, catchUp: CATCH_UP_PACE, ...paces }),
    },
    {
      connection: DiscordConnection,
      router: EventRouter,
      api: DiscordApi,
      database: Database,
      cursors: Cursors,
      resumePoint: ResumePoint,
      live: LiveReplies,
      clearUp: LiveClearUp,
      intake: MessageIntake,
      desk: CommandDesk,
      typing: Typing,
      checks: HealthChecks,
    },
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

function providersOf(config: Config, paces: Paces): Provider[] {
  const limits = { maxAgeMs: config.catchUp.minutes * 60_000, maxMessages: config.catchUp.messages };
  return [
    value(new Database(config.database)),
    provide(PersonRows, [Database], (database) => new PersonRows(database, OF_PEOPLE)),
    provideClass(LiveNotes, [Database]),
    provide(InvalidRequests, [LOGGER, METRICS], (...parts) => InvalidRequests.watched(...parts)),
    provide(DiscordApi, [InvalidRequests], (requests) => new DiscordApi(config.discord, requests)),
    provideClass(Leadership, [Database, LOGGER]),
    provideClass(ResumePoint, [Leadership, LOGGER]),
    provide(
      DiscordConnection,
      [Leadership, ResumePoint, InvalidRequests, LOGGER],
      (...parts) => new DiscordConnection(config.discord, ...parts),
    ),
    provideClass(Cursors, [Database, LOGGER]),
    provideClass(Servers, {
      database: Database,
      messenger: Messenger,
      cursors: Cursors,
      notes: LiveNotes,
      skippedMessages: SkippedMessages,
      logger: LOGGER,
    }),
    provide(Typing, [DiscordApi, LOGGER], (api, logger) => new Typing((id) => api.showTyping(id), logger)),
    provide(
      Signs,
      [DiscordApi, DiscordConnection, LOGGER],
      (api, connection, logger) => new Signs(api, (channelId) => connection.reach(channelId), logger),
    ),
    provideClass(Deletions, [Messenger, DiscordApi, LOGGER]),
    provide(
      LiveReplies,
      {
        broadcasts: Broadcasts,
        notes: LiveNotes,
        api: DiscordApi,
        deletions: Deletions,
        typing: Typing,
        logger: LOGGER,
      },
      (parts) => new LiveReplies({ ...parts, pace: paces.live }),
    ),
    provide(
      LiveClearUp,
      [Messenger, LiveNotes, LiveReplies, LOGGER],
      (messenger, notes, live, logger) => new LiveClearUp(messenger, notes, live, paces.live, logger),
    ),
    provideClass(HandOver, [LOGGER]),
    provide(
      MessageIntake,
      {
        messenger: Messenger,
        handOver: HandOver,
        cursors: Cursors,
        typing: Typing,
        live: LiveReplies,
        signs: Signs,
        places: Servers,
        logger: LOGGER,
      },
      (parts) => new MessageIntake({ ...parts, live: config.streamEdits ? parts.live : null }),
    ),
    provideClass(SkippedMessages, [METRICS, DegradedStates, LOGGER]),
    provideClass(ReadSlots, [InvalidRequests]),
    provide(
      CatchUpReader,
      {
        cursors: Cursors,
        intake: MessageIntake,
        servers: Servers,
        skippedMessages: SkippedMessages,
        slots: ReadSlots,
        logger: LOGGER,
      },
      (parts) => new CatchUpReader({ ...parts, limits, pace: paces.catchUp }),
    ),
    provide(
      STANDSTILL,
      [DiscordConnection, InvalidRequests],
      (connection, requests) => () => deliveryStandstill(connection.status(), requests.isTooMany),
    ),
    provideClass(ReplySender, {
      messenger: Messenger,
      api: DiscordApi,
      deletions: Deletions,
      typing: Typing,
      live: LiveReplies,
      cursors: Cursors,
    }),
    provideClass(Delivery, {
      messenger: Messenger,
      sender: ReplySender,
      standstill: STANDSTILL,
      live: LiveReplies,
      signs: Signs,
      logger: LOGGER,
    }),
    provideClass(KeyNotices, [Messenger, DiscordApi, STANDSTILL, LOGGER]),
    provide(
      CommandDesk,
      [Messenger, DiscordConnection, Cursors, LOGGER],
      (messenger, connection, cursors, logger) =>
        new CommandDesk(messenger, config.defaultCompanion, () => connection.status(), cursors, logger),
    ),
    provideClass(EventRouter, [MessageIntake, CatchUpReader, Servers, CommandDesk, LOGGER]),
  ];
}
