import { reasonOf } from '@kith/contracts';
import { asksForSilence } from '@kith/reading/asks-for-silence';
import { setTimeout as wait } from 'node:timers/promises';
import { RESTJSONErrorCodes, Routes, type APIMessage } from 'discord-api-types/v10';
import type { Client } from 'discord.js';
import type { Logger } from 'pino';
import { botViewOf } from '../events/bot-view.js';
import type { RawMessage } from '../events/describe-message.js';
import { readSaid, type BotView, type InboundContent } from '../events/read-event.js';
import type { MessageIntake } from '../intake/message-intake.js';
import type { Cursor, Cursors, CursorPlace } from '../places/cursors.js';
import { reachIn } from '../places/reach.js';
import { codeOf } from '../rest/code-of.js';
import { snowflakeAt } from '../rest/snowflake-at.js';
import type { SkippedMessages } from './skipped-messages.js';
import { announcedChannels } from './announced-channels.js';
import { lastHeardOf, planCatchUp, type CatchUp, type KnownChannel } from './plan-catch-up.js';
import { membersOf } from './members-of.js';
import { readBack } from './read-back.js';
import type { ReadSlots } from './read-slots.js';
import type { Servers } from './servers.js';
import { NOWHERE, whereaboutsOf } from './whereabouts.js';

/** Discord's short troubles pass within the ten seconds that these tries take. */
const TRIES = 5;
export interface CatchUpPace {
  /** Pause between the tries to read a place. */
  waitMs: number;
  /** Pause before a place that could not be read is read again. */
  againMs: number;
}
export const CATCH_UP_PACE: CatchUpPace = { waitMs: 2_000, againMs: 60_000 };
const { MissingAccess, MissingPermissions, UnknownChannel } = RESTJSONErrorCodes;

/** Messages that a place missed, in order; null where it could not be read. */
type Missed = InboundContent[] | null;

interface CatchUpParts {
  cursors: Cursors;
  intake: MessageIntake;
  servers: Pick<Servers, 'hear' | 'serverOf'>;
  skippedMessages: SkippedMessages;
  slots: ReadSlots;
  limits: {
    maxAgeMs: number;
    /** Most messages read back in one place. */
    maxMessages: number;
  };
  pace: CatchUpPace;
  logger: Logger;
}

/**
 * Reads missed messages: those from before a start, from after Discord ended a session, and in a place that
 * the bot may read again. Messages of a new session wait until the places to catch up are known, so that each
 * place keeps its order. A place keeps its cursor until it has been read.
 */
export class CatchUpReader {
  /** Channels and threads that the bot may not read, as far as it knows. */
  private readonly closed = new Set<string>();
  /** Servers that are out of reach. */
  private missing: Set<string> = new Set();
  /** Newest message heard before the session; null if none was heard. */
  private lastHeard: string | null = null;
  private readonly stopping = new AbortController();

  constructor(private readonly parts: CatchUpParts) {}

  stop(): void {
    this.stopping.abort();
  }

  /**
   * Never throws: without Postgres it keeps trying, and messages wait.
   * @param isLatest false once another session has begun; held messages then wait for its own catch-up
   */
  async begin(client: Client, isLatest: () => boolean): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted && isLatest()) {
      try {
        const cursors = await this.parts.cursors.read();
        if (!isLatest()) return;
        const channels = announcedChannels(client);
        this.lastHeard = lastHeardOf(cursors);
        this.missing = new Set(client.guilds.cache.filter(({ available }) => !available).keys());
        for (const { id, canRead } of channels) if (!canRead) this.closed.add(id);
        for (const place of this.plan(cursors, channels)) {
          this.parts.intake.takeFirst(place, (isAwaited) => this.readInTurn(client, place, isAwaited));
        }
        this.parts.intake.moveCursors();
        break;
      } catch (error) {
        this.parts.logger.warn({ err: error }, 'could not read how far channels were heard; trying again');
        await wait(this.parts.pace.waitMs, null, { signal }).catch(() => undefined);
      }
    }
    if (isLatest()) this.parts.intake.release();
  }

  /** Roles or channels of a server changed: reads up the places that the bot may read again. */
  accessChanged(client: Client, guildId: string): void {
    for (const { id, canRead } of announcedChannels(client, { guildId })) {
      if (!canRead) this.closed.add(id);
      // No wait: it must run before the next message there. Null: the channel is not new, only readable again.
      else if (this.closed.delete(id)) this.readAgain(client, { channelId: id, isDirect: false }, null);
    }
  }

  /** Notes a server of which Discord tells nothing until it is in reach again. */
  serverWent(guildId: string): void {
    this.missing.add(guildId);
  }

  /** Catches up in a server that came later than the others, or came back. */
  serverCame(client: Client, guildId: string): void {
    if (!this.missing.delete(guildId)) return;
    const earliest = snowflakeAt(new Date(Date.now() - this.parts.limits.maxAgeMs));
    for (const { id, canRead, lastMessageId } of announcedChannels(client, { guildId })) {
      if (!canRead) this.closed.add(id);
      else if (lastMessageId !== null && BigInt(lastMessageId) > BigInt(earliest))
        this.readAgain(client, { channelId: id, isDirect: false });
    }
  }

  private plan(cursors: readonly Cursor[], channels: readonly KnownChannel[], lastHeard = this.lastHeard) {
    return planCatchUp(cursors, channels, lastHeard, new Date(), this.parts.limits.maxAgeMs);
  }

  /** Catches up in a place, from the last message heard there by then. */
  private readAgain(client: Client, where: CursorPlace, lastHeard = this.lastHeard) {
    this.parts.intake.takeFirst(where, async (isAwaited) => {
      try {
        const cursors = await this.parts.cursors.read([where.channelId]);
        const [place] = this.plan(cursors, announcedChannels(client, { id: where.channelId }), lastHeard);
        return place ? await this.readInTurn(client, place, isAwaited) : [];
      } catch (error) {
        this.parts.logger.warn({ ...where, err: error }, 'a place has not caught up');
        this.readLater(client, where, lastHeard);
        return null;
      }
    });
  }

  private readLater(client: Client, where: CursorPlace, lastHeard = this.lastHeard) {
    setTimeout(() => {
      if (this.stopping.signal.aborted) return;
      if (this.parts.slots.areUsedUp) this.readLater(client, where, lastHeard);
      else this.readAgain(client, where, lastHeard);
    }, this.parts.pace.againMs).unref();
  }

  /**
   * Reads a place, or postpones it after many recent refusals: each refusal counts towards a ban.
   * @param isAwaited true once somebody writes to the bot there: their message waits for this
   */
  private readInTurn(client: Client, place: CatchUp, isAwaited: () => boolean) {
    return this.parts.slots.run(
      () => this.read(client, place),
      () => {
        this.parts.skippedMessages.note(place.channelId, 'put off');
        this.readLater(client, place);
        return null;
      },
      isAwaited,
    );
  }

  /** Never throws. */
  private async read(client: Client, place: CatchUp): Promise<Missed> {
    const { channelId, isDirect } = place;
    const { signal } = this.stopping;
    // Without this permission Discord answers that there are no messages.
    if (!isDirect && reachIn(client, channelId)?.canReadHistory === false) {
      this.parts.skippedMessages.note(channelId, 'no permission');
      return null;
    }
    for (let attempt = 1; attempt <= TRIES && !signal.aborted; attempt++) {
      try {
        return await this.readPages(client, place, attempt === TRIES);
      } catch (error) {
        const refusal = refusalIn(codeOf(error), client, place);
        if (refusal !== null) return this.endRefused(refusal, client, place);
        this.parts.logger.warn({ channelId, attempt, reason: reasonOf(error) }, 'a place could not catch up');
        await wait(this.parts.pace.waitMs, null, { signal }).catch(() => undefined);
      }
    }
    if (signal.aborted) return null; // the next process reads it
    this.parts.skippedMessages.note(channelId, 'out of reach');
    this.readLater(client, place);
    return null;
  }

  /** Ends the catch-up of a place that Discord does not show; null where its cursor is still needed. Never throws. */
  private async endRefused(refusal: Refusal, client: Client, place: CatchUp): Promise<Missed> {
    const { channelId } = place;
    const { skippedMessages, servers, cursors } = this.parts;
    // Only people of the server can grant the permission.
    if (refusal === 'no permission') {
      this.closed.add(channelId);
      skippedMessages.note(channelId, refusal);
      return null;
    }
    skippedMessages.clear(channelId);
    if (refusal === 'gone') {
      const serverId = await servers.serverOf(channelId).catch(() => undefined);
      const server = client.guilds.cache.get(serverId ?? '');
      // The cursor stays until it is known whether the place's talk is deleted: nothing else names the place.
      if (serverId === undefined || server?.available === false) {
        this.readLater(client, place);
        return null;
      }
      // The data of a server that the bot was removed from stays for a while.
      if (serverId !== null && server) return [{ kind: 'place-deleted', serverId }];
    }
    await cursors.drop([channelId]).catch(() => undefined);
    return [];
  }

  private async readPages(client: Client, place: CatchUp, isLastTry: boolean): Promise<InboundContent[]> {
    const { channelId, isDirect } = place;
    const { servers, limits, skippedMessages, logger } = this.parts;
    const { guildId, threadOf } = isDirect ? NOWHERE : await whereaboutsOf(client, channelId);
    if (guildId !== null) void servers.hear(guildId, channelId, threadOf);
    const { messages, skipped, nameless } = await readBack(
      ({ before, limit }) => {
        const query = new URLSearchParams({ limit: String(limit), ...(before !== undefined && { before }) });
        return client.rest.get(Routes.channelMessages(channelId), { query }) as Promise<APIMessage[]>;
      },
      { ...place, maxMessages: limits.maxMessages },
      isDirect ? asksNeverToBeWrittenTo : null,
    );
    if (skipped === null) skippedMessages.clear(channelId);
    else skippedMessages.note(channelId, skipped);
    if (messages.length > 0)
      logger.info({ channelId, messages: messages.length }, 'missed messages were read');
    if (nameless > 0)
      logger.error({ channelId, messages: nameless }, 'missed messages without an id are skipped');
    const view = { ...botViewOf(client), threadOf: () => threadOf };
    const { read, reportFailed } = readerOf(place, guildId, view, logger);
    const said = messages.map((message) => ({ message, content: read(message) }));
    const toBot = said.filter(({ content }) => content.kind === 'message');
    const authors = toBot.map(({ message }) => message.author.id);
    const attempt = { signal: this.stopping.signal, isLastTry };
    const members = guildId === null ? null : await membersOf(client, guildId, authors, attempt);
    const contents = said.map(({ message, content }) => {
      const member = content.kind === 'message' ? members?.get(message.author.id) : undefined;
      return member ? read({ ...message, member }) : content;
    });
    reportFailed();
    return contents;
  }
}

/** Tells whether a message asks for silence: that holds however long nobody heard it. */
function asksNeverToBeWrittenTo({ content = '' }: Partial<APIMessage>): boolean {
  return asksForSilence(content);
}

/**
 * Makes a reader of missed messages. One that can't be read counts as heard: it would fail the same way each time, and
 * the messages after it would wait for it.
 */
function readerOf({ channelId }: CatchUp, guildId: string | null, view: BotView, logger: Logger) {
  const failed = new Map<string, string>();
  return {
    read: (message: RawMessage): InboundContent => {
      try {
        return readSaid(message, guildId, view);
      } catch (error) {
        failed.set(message.id, reasonOf(error));
        return { kind: 'nothing', id: message.id };
      }
    },
    /** Logs what could not be read, once the place's read has succeeded: each try reads it again. */
    reportFailed: () => {
      for (const [messageId, reason] of failed)
        logger.error({ channelId, messageId, reason }, 'a missed message is not understood; it is skipped');
    },
  };
}

/** Answer of Discord that does not pass by itself: the place is gone, or hidden from the bot, or shown without its talk. */
type Refusal = 'gone' | 'hidden' | 'no permission';

/** Reads the code of a failed request; null for a trouble that may pass. */
function refusalIn(code: unknown, client: Client, place: CatchUp): Refusal | null {
  if (code === UnknownChannel) return 'gone';
  if (code === MissingAccess && isShutOut(client, place)) return 'hidden';
  return code === MissingAccess || code === MissingPermissions ? 'no permission' : null;
}

/** Tells whether the session did not announce the place, such as a thread of a channel that the bot may not see. */
function isShutOut({ channels, guilds }: Client, { channelId, isDirect }: CatchUp): boolean {
  // A server that is out of reach announces none of its places.
  const isWhole = guilds.cache.every(({ available }) => available);
  return isWhole && !isDirect && !channels.cache.has(channelId);
}
