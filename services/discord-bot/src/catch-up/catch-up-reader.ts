import { setTimeout as wait } from 'node:timers/promises';
import { Routes, type APIMessage } from 'discord-api-types/v10';
import type { Client } from 'discord.js';
import type { Logger } from 'pino';
import type { MessageIntake } from '../intake/message-intake.js';
import { readSaid, type InboundContent, type Place } from '../events/read-event.js';
import type { Cursors } from '../places/cursors.js';
import { botViewOf } from '../events/bot-view.js';
import type { SkippedMessages } from './skipped-messages.js';
import { planCatchUp, type CatchUp, type KnownChannel } from './plan-catch-up.js';
import { reachIn } from '../places/reach.js';
import { readBack } from './read-back.js';
import type { ReadSlots } from './read-slots.js';
import type { Servers } from './servers.js';

/** Short troubles of Discord's pass within their ten seconds. */
const TRIES = 5;
const WAIT_MS = 2_000;
/** A place that Discord did not let us read is read again after this long. */
const AGAIN_MS = 60_000;
const UNKNOWN_CHANNEL = 10003;
const MISSING_ACCESS = 50001;
/** Missing access, missing permissions: only the server's people can change that. */
const NO_PERMISSION: ReadonlySet<unknown> = new Set([MISSING_ACCESS, 50013]);

export interface CatchUpLimits {
  maxAgeMs: number;
  /** Of one place. */
  maxMessages: number;
}

/**
 * Reads up what was said while no session heard it: after a start, after Discord ended a session, and in a place that
 * the bot may read again. Every message of a new session waits until it is known which places are read up, so that each
 * place keeps its order. A place that could not be read keeps its cursor until it is.
 */
export class CatchUpReader {
  /** Channels and threads that the bot may not read, as far as it knows. */
  private readonly closed = new Set<string>();

  constructor(
    private readonly cursors: Cursors,
    private readonly intake: MessageIntake,
    private readonly servers: Pick<Servers, 'hear'>,
    private readonly skippedMessages: SkippedMessages,
    private readonly slots: ReadSlots,
    private readonly limits: CatchUpLimits,
    private readonly logger: Logger,
  ) {}

  /** Never throws: without Postgres it keeps trying, and messages wait. */
  async begin(client: Client, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const cursors = await this.cursors.read();
        const channels = channelsOf(client);
        for (const { id, canRead } of channels) if (!canRead) this.closed.add(id);
        for (const place of planCatchUp(cursors, channels, new Date(), this.limits.maxAgeMs)) {
          this.intake.takeFirst(place, () => this.readInTurn(client, place, signal));
        }
        break;
      } catch (error) {
        this.logger.warn({ err: error }, 'what was missed is not known yet');
        await wait(WAIT_MS, null, { signal }).catch(() => undefined);
      }
    }
    this.intake.release();
  }

  /** Roles or channels of a server changed: reads up the places that the bot may read again. */
  accessChanged(client: Client, guildId: string, signal: AbortSignal): void {
    for (const { id, canRead } of channelsOf(client, guildId)) {
      if (!canRead) this.closed.add(id);
      // At once, and so before the next message there is heard.
      else if (this.closed.delete(id)) this.readAgain(client, { channelId: id, isDirect: false }, signal);
    }
  }

  /** Reads a place up from where it was heard by then. */
  private readAgain(client: Client, where: Place, signal: AbortSignal): void {
    this.intake.takeFirst(where, async () => {
      try {
        const cursors = await this.cursors.read([where.channelId]);
        const channels = channelsOf(client).filter(({ id }) => id === where.channelId);
        const [place] = planCatchUp(cursors, channels, new Date(), this.limits.maxAgeMs);
        return place ? await this.readInTurn(client, place, signal) : [];
      } catch (error) {
        this.logger.warn({ ...where, err: error }, 'a place is not read up yet');
        this.readLater(client, where, signal);
        return null;
      }
    });
  }

  private readLater(client: Client, where: Place, signal: AbortSignal): void {
    const again = () => {
      if (signal.aborted) return;
      if (this.slots.areUsedUp) this.readLater(client, where, signal);
      else this.readAgain(client, where, signal);
    };
    setTimeout(again, AGAIN_MS).unref();
  }

  /** Reads a place, unless Discord refused so much of late that it is put off: each refusal counts towards a ban. */
  private readInTurn(client: Client, place: CatchUp, signal: AbortSignal): Promise<InboundContent[] | null> {
    return this.slots.run(
      () => this.read(client, place, signal),
      () => {
        this.skippedMessages.note(place.channelId, 'put off');
        this.readLater(client, place, signal);
        return null;
      },
    );
  }

  /** Reads the messages to the bot there, in order; null when that failed. Never throws. */
  private async read(client: Client, place: CatchUp, signal: AbortSignal): Promise<InboundContent[] | null> {
    const { channelId, isDirect } = place;
    // Without this permission Discord answers that there are no messages.
    if (!isDirect && reachIn(client, channelId)?.canReadHistory === false) {
      this.skippedMessages.note(channelId, 'no permission');
      return null;
    }
    for (let attempt = 1; attempt <= TRIES && !signal.aborted; attempt++) {
      try {
        return await this.readPages(client, place);
      } catch (error) {
        const { code } = error as { code?: unknown };
        if (code === UNKNOWN_CHANNEL || (code === MISSING_ACCESS && isShutOut(client, place))) {
          await this.cursors.drop([channelId]).catch(() => undefined);
          this.skippedMessages.clear(channelId);
          return [];
        }
        if (NO_PERMISSION.has(code)) {
          this.closed.add(channelId);
          this.skippedMessages.note(channelId, 'no permission');
          return null;
        }
        this.logger.warn({ channelId, attempt, reason: String(error) }, 'a place could not be read up');
        await wait(WAIT_MS, null, { signal }).catch(() => undefined);
      }
    }
    this.skippedMessages.note(channelId, 'out of reach');
    this.readLater(client, place, signal);
    return null;
  }

  private async readPages(client: Client, place: CatchUp): Promise<InboundContent[]> {
    const { channelId, isDirect } = place;
    const guildId = isDirect ? null : await guildOf(client, channelId);
    if (guildId !== null) void this.servers.hear(guildId, channelId);
    const { messages, skippedMessages } = await readBack(
      ({ before, limit }) => {
        const query = new URLSearchParams({
          limit: String(limit),
          ...(before === undefined ? {} : { before }),
        });
        return client.rest.get(Routes.channelMessages(channelId), { query }) as Promise<APIMessage[]>;
      },
      { ...place, maxMessages: this.limits.maxMessages },
    );
    if (skippedMessages === null) this.skippedMessages.clear(channelId);
    else this.skippedMessages.note(channelId, skippedMessages);
    if (messages.length > 0) this.logger.info({ channelId, messages: messages.length }, 'messages read up');
    return messages.map((message) => readSaid(message, guildId, botViewOf(client)));
  }
}

/** Is it none of the places that the session announced, such as a thread of a channel that the bot may not see? */
function isShutOut({ channels, guilds }: Client, { channelId, isDirect }: CatchUp): boolean {
  // A server that is out of reach announces none of its places.
  const isWhole = guilds.cache.every(({ available }) => available);
  return isWhole && !isDirect && !channels.cache.has(channelId);
}

/** The server of a channel, also of a thread that is archived. */
async function guildOf({ channels, rest }: Client, channelId: string): Promise<string | null> {
  const known = channels.cache.get(channelId);
  if (known) return 'guildId' in known ? known.guildId : null;
  const channel = (await rest.get(Routes.channel(channelId))) as { guild_id?: string };
  return channel.guild_id ?? null;
}

/** Channels and threads that are announced, of all servers or of one. */
function channelsOf(client: Client, guildId?: string): KnownChannel[] {
  return client.channels.cache
    .filter((channel) => channel.isTextBased() && !channel.isDMBased())
    .filter((channel) => guildId === undefined || channel.guildId === guildId)
    .map(({ id, lastMessageId }) => ({
      ...{ id, lastMessageId },
      canRead: reachIn(client, id)?.canReadHistory !== false,
    }));
}
