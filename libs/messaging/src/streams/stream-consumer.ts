import { isDoneWithin } from '@kith/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import {
  BLOCK_MS,
  closeConnection,
  isReplyError,
  pauseAfter,
  untilReady,
  withinReach,
} from '../redis/connection.js';
import type { MessagingLogger } from '../logger.js';
import { Pause } from '../pause.js';
import { keyOf, numberOf, type ConsumerSettings, type ClaimedEntry } from './claimed-entry.js';
import { ACKNOWLEDGE_WITHIN_MS } from './handling.js';
import { ClaimRenewer } from './claim-renewer.js';
import { leaveGroup, noteFailure, removeDeadConsumers, takeBack, takeOver } from './takeover.js';

export interface ConsumerHandlers {
  /** Does the work and acknowledges it. Answers 'failed' for what is to come again. */
  handle(entry: ClaimedEntry): Promise<'acknowledged' | 'failed'>;
  /** Called instead once an entry ended its process `MAX_DEATHS` times, or used up its deliveries. */
  giveUp(entry: ClaimedEntry): Promise<void>;
}

// Once may be chance: the process dies with all that it has in hand. An entry that was in hand both times is the cause.
const MAX_DEATHS = 2;
// Consumers that died without leaving are removed an hour later: a quarter more or less does not matter.
const REMOVE_DEAD_EVERY_MS = 15 * 60_000;
// The read may only begin after the first look for it. A process that closes is kept waiting no longer than it has to.
const UNBLOCK_AGAIN_MS = 50;

/**
 * Reads streams as one consumer of a group: keeps at most `concurrency` entries in work, keeps the slow
 * ones from being taken over, and takes over what dead replicas left.
 */
export class StreamConsumer {
  private closing = false;
  private readonly inWork = new Map<string, { entry: ClaimedEntry; done: Promise<void> }>();
  private wake: (() => void) | undefined;
  private reading: Promise<void> | undefined;
  private takingOver: Promise<void> | undefined;
  /** Pause between two looks at entries that others left. */
  private readonly pause = new Pause();
  private readonly renewer: ClaimRenewer;
  private deadRemovedAt = performance.now();

  constructor(
    /** Connection for everything but the blocking read. */
    private readonly commands: Redis,
    private readonly reader: Redis,
    private readonly settings: ConsumerSettings,
    private readonly handlers: ConsumerHandlers,
    private readonly log: MessagingLogger,
  ) {
    this.renewer = new ClaimRenewer(commands, settings, log);
  }

  start(): void {
    this.reading = this.readForEver();
    this.takingOver = this.takeOverAbandonedEntries();
  }

  /** Takes nothing more, finishes what it has, at most `drainMs` long, and leaves the group. */
  async close(drainMs: number): Promise<void> {
    this.closing = true;
    this.pause.end();
    this.wake?.();
    await this.endReading();
    await this.takingOver;
    const done = Promise.all([...this.inWork.values()].map((work) => work.done));
    if (!(await isDoneWithin(done, drainMs))) await this.leaveUnfinished();
    this.renewer.stop();
    await leaveGroup(this.commands, this.settings).catch(() => undefined);
    closeConnection(this.reader);
  }

  /** Clears the suspicion on entries that a closing process leaves: they did not end it. */
  private async leaveUnfinished(): Promise<void> {
    this.log.warn({ inWork: this.inWork.size }, 'closed with unfinished work, which will be retried');
    if (this.commands.status !== 'ready') return;
    const left = [...this.inWork.values()].map(({ entry }) => entry);
    await Promise.allSettled(left.map((entry) => noteFailure(this.commands, this.settings, entry)));
  }

  private async readForEver(): Promise<void> {
    let groupsExist = false;
    while (!this.isClosing()) {
      const free = this.settings.concurrency - this.inWork.size;
      if (free <= 0) {
        await new Promise<void>((resolve) => (this.wake = resolve));
        continue;
      }
      try {
        if (!groupsExist) {
          await this.createGroups();
          groupsExist = true;
        }
        await this.takeNews(free);
      } catch (error) {
        if (this.isClosing()) return;
        // Redis came back empty, or was emptied under a waiting read: the groups are gone with the streams.
        if (isReplyError(error) && /^(NOGROUP|UNBLOCKED)/.test((error as Error).message)) groupsExist = false;
        else await pauseAfter(error, this.reader, this.log, 'reading a stream was refused');
      }
    }
  }

  /** Waits for new entries, about as many as are `free` to be in work, and begins to work on them. */
  private async takeNews(free: number): Promise<void> {
    const { streams, group, consumer } = this.settings;
    // COUNT is per stream.
    const count = Math.ceil(free / streams.length);
    const news = await this.reader.xreadgroup(
      'GROUP',
      group,
      consumer,
      'COUNT',
      count,
      'BLOCK',
      BLOCK_MS,
      'STREAMS',
      ...streams,
      ...streams.map(() => '>'),
    );
    for (const [stream, entries] of news ?? []) {
      for (const [id, fields] of entries) {
        if (fields) this.work({ stream, id, fields, failures: 0, deaths: 0 });
      }
    }
  }

  /** From '0': what was sent before the service's first start counts too. */
  private async createGroups(): Promise<void> {
    await untilReady(this.reader, 1_000);
    for (const stream of this.settings.streams) {
      await this.reader
        .xgroup('CREATE', stream, this.settings.group, '0', 'MKSTREAM')
        .catch((error: unknown) => {
          if (!(error as Error).message.startsWith('BUSYGROUP')) throw error;
        });
    }
  }

  private work(entry: ClaimedEntry): void {
    const key = keyOf(entry);
    if (this.inWork.has(key)) return;
    this.renewer.add(entry);
    const done = this.handleOrGiveUp(entry)
      .catch((error: unknown) =>
        this.log.error({ err: error, stream: entry.stream }, 'an entry could not be acknowledged'),
      )
      .finally(() => {
        this.inWork.delete(key);
        this.renewer.remove(entry);
        this.wake?.();
      });
    this.inWork.set(key, { entry, done });
  }

  private async handleOrGiveUp(entry: ClaimedEntry): Promise<void> {
    if (entry.deaths >= MAX_DEATHS || numberOf(entry) > this.settings.maxDeliveries)
      return this.giveUp(entry);
    if ((await this.handlers.handle(entry)) === 'failed') {
      await withinReach(this.commands, ACKNOWLEDGE_WITHIN_MS, 'noting a failure', () =>
        noteFailure(this.commands, this.settings, entry),
      );
    }
  }

  /** Gives an entry up. One that Redis, being full, can't put aside stays given up, and is tried again. */
  private async giveUp(entry: ClaimedEntry): Promise<void> {
    try {
      await this.handlers.giveUp(entry);
    } catch (error) {
      await takeBack(this.commands, this.settings, entry);
      throw error;
    }
  }

  /**
   * Takes over what others left: looks four times within the claim time while any consumer holds an entry, else once.
   * Entries taken since the last look are not due before the next one.
   */
  private async takeOverAbandonedEntries(): Promise<void> {
    const { claimIdleMs, concurrency } = this.settings;
    let isQuiet = false;
    while (!this.isClosing()) {
      await this.pause.wait(isQuiet ? claimIdleMs : claimIdleMs / 4);
      const free = concurrency - this.inWork.size;
      if (this.isClosing() || free <= 0 || this.commands.status !== 'ready') continue;
      try {
        const { taken, pending } = await takeOver(this.commands, this.settings, free, this.inWork);
        for (const entry of taken) this.work(entry);
        isQuiet = pending === 0;
        await this.removeDeadConsumersWhenDue();
      } catch (error) {
        const isWithoutGroup = error instanceof Error && error.message.includes('NOGROUP');
        if (!this.isClosing() && !isWithoutGroup)
          this.log.warn({ err: error }, 'could not look for abandoned entries');
      }
    }
  }

  /** A method, because TypeScript narrows a field and does not notice that it changes during an `await`. */
  private isClosing(): boolean {
    return this.closing;
  }

  private async removeDeadConsumersWhenDue(): Promise<void> {
    const everyMs = Math.min(this.settings.forgetConsumerAfterMs, REMOVE_DEAD_EVERY_MS);
    if (performance.now() - this.deadRemovedAt < everyMs) return;
    this.deadRemovedAt = performance.now();
    await removeDeadConsumers(this.commands, this.settings);
  }

  /**
   * Ends a waiting read without losing what Redis may already have given to it. A read that is only on its way cannot
   * be ended yet: it is tried again until there is none.
   */
  private async endReading(): Promise<void> {
    const ended = Promise.resolve(this.reading).then(() => true);
    do {
      await this.unblock().catch(() => closeConnection(this.reader));
    } while (!(await Promise.race([ended, sleep(UNBLOCK_AGAIN_MS, false)])));
  }

  private async unblock(): Promise<void> {
    const name = this.reader.options.connectionName ?? '';
    await withinReach(this.commands, 500, 'unblocking the reader', async () => {
      const clients = String(await this.commands.client('LIST'));
      const line = clients.split('\n').find((client) => client.includes(` name=${name} `));
      const id = line && /\bid=(\d+)/.exec(line)?.[1];
      if (id) await this.commands.client('UNBLOCK', Number(id));
    });
  }
}
