import { Database, PersonRows } from '@kith/database';
import type { Host, Token } from '@kith/service-host';
import { CATCH_UP_PACE, CatchUpReader, type CatchUpPace } from './catch-up/catch-up-reader.js';
import { ReadSlots } from './catch-up/read-slots.js';
import { Servers } from './catch-up/servers.js';
import { SkippedMessages } from './catch-up/skipped-messages.js';
import { CommandDesk } from './commands/desk/command-desk.js';
import type { Config } from './config.js';
import { DiscordConnection } from './connection/discord-connection.js';
import { Leadership } from './connection/leadership.js';
import { ResumePoint } from './connection/resume-point.js';
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
import { HandOver } from './intake/hand-over.js';
import { MessageIntake } from './intake/message-intake.js';
import { Cursors } from './places/cursors.js';
import { DiscordApi } from './rest/discord-api.js';
import { InvalidRequests } from './rest/invalid-requests.js';
import { EventRouter } from './routing/event-router.js';

/** All parts of the bot, by name. */
export type Parts = ReturnType<typeof makeParts>;

/** Key under which its controller finds them. */
export const PARTS: Token<Parts> = Symbol('PARTS');

/** Tables with rows of people. */
const OF_PEOPLE = ['discord_cursors', 'discord_live_replies'];

/** Paces of waiting for real time, which tests shorten. */
export interface Paces {
  live: LivePace;
  catchUp: CatchUpPace;
}

/** Makes every part of the bot of those before it. The last one hears what the connection tells once it is started. */
export function makeParts(config: Config, paces: Partial<Paces>, host: Host) {
  const { live: pace = LIVE_PACE, catchUp: catchUpPace = CATCH_UP_PACE } = paces;
  const { messenger, broadcasts, states, metrics, logger } = host;

  // What is stored.
  const database = new Database(config.database);
  const people = new PersonRows(database, OF_PEOPLE);
  const notes = new LiveNotes(database);
  const cursors = new Cursors(database, logger);

  // How Discord is reached: by requests, and by the connection that one process holds.
  const requests = InvalidRequests.watched(logger, metrics);
  const api = new DiscordApi(config.discord, requests);
  const leadership = new Leadership(database, logger);
  const resumePoint = new ResumePoint(leadership, logger);
  const connection = new DiscordConnection(config.discord, leadership, resumePoint, requests, logger);

  // What is sent there, and taken back.
  const standstill = () => deliveryStandstill(connection.status(), requests.isTooMany);
  const typing = new Typing((channelId) => api.showTyping(channelId), logger);
  const signs = new Signs(api, (channelId) => connection.reach(channelId), logger);
  const deletions = new Deletions(messenger, api, logger);
  const live = new LiveReplies({ broadcasts, notes, api, deletions, typing, pace, logger });
  const clearUp = new LiveClearUp(messenger, notes, live, pace, logger);
  const sender = new ReplySender({ messenger, api, deletions, typing, live, cursors });
  const delivery = new Delivery({ messenger, sender, standstill, live, signs, logger });
  const keyNotices = new KeyNotices(messenger, api, standstill, logger);

  // What is heard, and was missed.
  const skippedMessages = new SkippedMessages(metrics, states, logger);
  const servers = new Servers({ database, messenger, cursors, notes, skippedMessages, logger });
  const intake = new MessageIntake({
    messenger,
    handOver: new HandOver(logger),
    cursors,
    typing,
    live: config.streamEdits ? live : null,
    signs,
    places: servers,
    api,
    logger,
  });
  const catchUp = new CatchUpReader({
    cursors,
    intake,
    servers,
    skippedMessages,
    slots: new ReadSlots(requests),
    pace: catchUpPace,
    limits: { maxAgeMs: config.catchUp.minutes * 60_000, maxMessages: config.catchUp.messages },
    logger,
  });
  const statusOf = () => connection.status();
  const desk = new CommandDesk(messenger, config.defaultCompanion, statusOf, cursors, logger);
  const router = new EventRouter(intake, catchUp, servers, desk, logger);

  return {
    ...host,
    database,
    people,
    cursors,
    requests,
    api,
    resumePoint,
    connection,
    typing,
    signs,
    deletions,
    live,
    clearUp,
    delivery,
    keyNotices,
    servers,
    intake,
    desk,
    router,
  };
}
