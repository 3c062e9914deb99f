import { setTimeout as wait } from 'node:timers/promises';
import type { Client, Message } from 'discord.js';
import type { Logger } from 'pino';
import type { HandOver, Heard } from '../conversation/hand-over.js';
import type { Cursors } from './cursors.js';
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
    private readonly describe: (message: Message, botId: string) => Heard,
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
    const { channelId, after } = place;
    for (let attempt = 1; attempt <= TRIES && !signal.aborted; attempt++) {
      try {
        const channel = await client.channels.fetch(channelId);
        if (!channel?.isTextBased()) return [];
        const messages = await channel.messages.fetch({ after, limit: MOST_MESSAGES, cache: false });
        const missed = [...messages.values()].toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
        if (missed.length > 0) this.logger.info({ channelId, messages: missed.length }, 'messages read up');
        return missed.map((message) => this.describe(message, client.user?.id ?? ''));
      } catch (error) {
        if (FINAL_CODES.has((error as { code?: unknown }).code)) return [];
        this.logger.warn({ channelId, attempt, reason: String(error) }, 'a place could not be read up');
        await wait(WAIT_MS, null, { signal }).catch(() => undefined);
      }
    }
    return null;
  }
}
