import { setTimeout as wait } from 'node:timers/promises';
import { Routes, type APIMessage, type Client } from 'discord.js';
import type { Logger } from 'pino';
import type { HandOver, Heard } from '../conversation/hand-over.js';
import { readSaid } from '../conversation/read-event.js';
import type { Cursors } from './cursors.js';
import { earsOf } from './ears-of.js';
import type { Servers } from './servers.js';
import { planCatchUp, type CatchUp } from './plan-catch-up.js';

/** Messages that are read up in one place at most. */
const MOST_MESSAGES = 50;
const TRIES = 5;
const WAIT_MS = 2_000;
/** Errors of Discord's that a later try would meet again: unknown channel, missing access, missing permissions. */
const FINAL_CODES: ReadonlySet<unknown> = new Set([10003, 50001, 50013]);

/**
 * Reads up what was said while no session heard it: after a start, and after Discord ended a session. Every message of
 * the new session waits until it is known which places are read up, so that each place keeps its order.
 */
export class CatchingUp {
  constructor(
    private readonly cursors: Cursors,
    private readonly handOver: HandOver,
    private readonly servers: Pick<Servers, 'hear'>,
    private readonly logger: Logger,
  ) {}

  /** Never throws: without Postgres it keeps trying, and messages wait. */
  async begin(client: Client, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const cursors = await this.cursors.read();
        const channels = client.channels.cache
          .filter((channel) => channel.isTextBased() && !channel.isDMBased())
          .map((channel) => ({ id: channel.id, lastMessageId: channel.lastMessageId }));
        for (const place of planCatchUp(cursors, channels, new Date())) {
          this.handOver.takeFirst(place, () => this.read(client, place, signal));
        }
        break;
      } catch (error) {
        this.logger.warn({ err: error }, 'what was missed is not known yet');
        await wait(WAIT_MS, null, { signal }).catch(() => undefined);
      }
    }
    this.handOver.release();
  }

  /** What was said there, in order; null when it could not be read. */
  private async read(client: Client, place: CatchUp, signal: AbortSignal): Promise<Heard[] | null> {
    const { channelId, after, isDirect } = place;
    const known = client.channels.cache.get(channelId);
    const guildId = known && 'guildId' in known ? known.guildId : null;
    if (guildId === null && !isDirect) return []; // the bot has left it
    if (guildId !== null) void this.servers.hear(guildId, channelId);
    const query = new URLSearchParams({ after, limit: String(MOST_MESSAGES) });
    for (let attempt = 1; attempt <= TRIES && !signal.aborted; attempt++) {
      try {
        const messages = (await client.rest.get(Routes.channelMessages(channelId), {
          query,
        })) as APIMessage[];
        const missed = messages.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
        if (missed.length > 0) this.logger.info({ channelId, messages: missed.length }, 'messages read up');
        return missed.map((message) => readSaid(message, guildId, earsOf(client)));
      } catch (error) {
        if (FINAL_CODES.has((error as { code?: unknown }).code)) return [];
        this.logger.warn({ channelId, attempt, reason: String(error) }, 'a place could not be read up');
        await wait(WAIT_MS, null, { signal }).catch(() => undefined);
      }
    }
    return null;
  }
}
