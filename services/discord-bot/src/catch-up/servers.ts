import { setTimeout as wait } from 'node:timers/promises';
import { gatewayContract, MAX_PLACES } from '@kith/contracts';
import { columnOf, toJsonb, type Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { LiveNotes } from '../delivery/live-notes.js';
import type { Cursors } from '../places/cursors.js';
import type { SkippedMessages } from './skipped-messages.js';
import { type KnownServer, type ListedServers, planServers } from './plan-servers.js';

/** The channels of a server, as the client knows them; null while the server is out of reach. */
export type ChannelsOf = (serverId: string) => string[] | null;

/** Pause before another try. */
const RETRY_MS = 2_000;

/**
 * Keeps the bot's servers and the places it heard in each, so that it also notices a server that it was removed from
 * while it was down. What is kept of such places is deleted after a grace period, unless the bot comes back.
 */
export class Servers {
  /** Servers that the latest session listed, kept up to date since. */
  private listed: Set<string> | null = null;
  /** Listed servers that were out of reach when the return to them was due. */
  private readonly unreached = new Set<string>();
  /** Places noted so far; a thread with its channel, if that was known. */
  private readonly noted = new Map<string, string | null>();
  /** Places that are being noted. */
  private readonly noting = new Set<Promise<void>>();
  /** Settles with the latest order. Orders run one by one: a server that comes back is noted after it has been left. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: {
      database: Database;
      messenger: Pick<Messenger, 'enqueue'>;
      cursors: Pick<Cursors, 'drop'>;
      notes: Pick<LiveNotes, 'dropIn'>;
      skippedMessages: Pick<SkippedMessages, 'clear'>;
      logger: Logger;
    },
  ) {}

  /**
   * Notes a place where something was heard. Never throws: what could not be noted is noted with the next message there.
   * A server first seen this way does not count as held: the return to it is still due.
   * @param threadOf the channel of a thread; null for a channel, and where that is not known
   */
  async hear(serverId: string, channelId: string, threadOf: string | null): Promise<void> {
    const before = this.noted.get(channelId);
    if (before !== undefined && (threadOf === null || before === threadOf)) return;
    this.noted.set(channelId, threadOf);
    const noting = this.noteHeard(serverId, channelId, threadOf);
    this.noting.add(noting);
    await noting;
    this.noting.delete(noting);
  }

  private async noteHeard(serverId: string, channelId: string, threadOf: string | null): Promise<void> {
    try {
      await this.note(serverId, [channelId], false, threadOf === null ? {} : { [channelId]: threadOf });
    } catch (error) {
      this.noted.delete(channelId);
      this.parts.logger.warn({ err: error, serverId, channelId }, 'could not note a channel');
    }
  }

  /** Finds the server of a place in which something was heard; null where it is not known. */
  async serverOf(channelId: string): Promise<string | null> {
    const [server] = await this.parts.database.reader('system').$queryRaw<{ id: string }[]>`
      SELECT server_id AS id FROM discord_servers WHERE ${channelId} = ANY (places)`;
    return server?.id ?? null;
  }

  /** Lists the threads of a channel in which something was heard. */
  async threadsOf(serverId: string, channelId: string): Promise<string[]> {
    await Promise.all(this.noting);
    return columnOf(this.parts.database.reader('system'))`
      SELECT thread.key FROM discord_servers CROSS JOIN LATERAL jsonb_each_text(threads) AS thread
      WHERE server_id = ${serverId} AND thread.value = ${channelId}`;
  }

  /** Compares the servers of a new session with those known. Never throws: without its stores it keeps trying. */
  async compare({ ids, shard }: ListedServers, channelsOf: ChannelsOf, signal: AbortSignal): Promise<void> {
    const listed = new Set(ids);
    this.listed = listed;
    this.unreached.clear();
    while (!signal.aborted && this.listed === listed) {
      try {
        const known = await this.parts.database.reader('system').$queryRaw<KnownServer[]>`
          SELECT server_id AS id, held FROM discord_servers`;
        const { left, joined } = planServers(known, { ids: [...listed], shard });
        const done: boolean[] = [];
        for (const id of [...left, ...joined]) done.push(await this.leaveOrReturn(id, listed, channelsOf));
        if (done.every(Boolean)) return;
      } catch (error) {
        this.parts.logger.warn({ err: error }, 'servers not compared yet');
      }
      await wait(RETRY_MS, null, { signal }).catch(() => undefined);
    }
  }

  /** Returns to a server that is in reach again, where that is due. Never throws. */
  async available(serverId: string, channelIds: readonly string[]): Promise<void> {
    if (this.unreached.delete(serverId)) await this.join(serverId, channelIds);
  }

  /** Notes a server that the bot was added to. Never throws: on failure the next session notices it. */
  async join(serverId: string, channelIds: readonly string[]): Promise<void> {
    this.listed?.add(serverId);
    await this.inTurn(() => this.open(serverId, channelIds)).catch((error: unknown) =>
      this.parts.logger.warn({ err: error, serverId }, 'could not note a joined server'),
    );
  }

  /** Drops a server that the bot was removed from, or that is gone. Never throws: on failure the next session notices it. */
  async leave(serverId: string, channelIds: readonly string[]): Promise<void> {
    this.listed?.delete(serverId);
    this.unreached.delete(serverId);
    await this.inTurn(() => this.close(serverId, channelIds)).catch((error: unknown) =>
      this.parts.logger.error({ err: error, serverId }, 'could not note that a server was left'),
    );
  }

  /** Orders the talk of a deleted channel or thread to be deleted. Throws if that order could not be given. */
  deletePlace(serverId: string, channelId: string): Promise<void> {
    return this.inTurn(async () => {
      await this.order('deletePlaces', channelId, [channelId]);
      await this.forget([channelId]);
      await this.parts.database.writer('system').$executeRaw`
        UPDATE discord_servers
        SET places = array_remove(places, ${channelId}), threads = threads - ${channelId}
        WHERE server_id = ${serverId}`;
      this.parts.logger.info({ serverId, channelId }, 'channel deleted');
    });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.last.then(work, work);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Leaves a server or returns to it, whichever is due by then. @returns false where that failed */
  private leaveOrReturn(serverId: string, listed: ReadonlySet<string>, channelsOf: ChannelsOf) {
    const work = async () => {
      if (!listed.has(serverId)) return this.close(serverId, []);
      const channels = channelsOf(serverId);
      if (channels) return this.open(serverId, channels);
      this.unreached.add(serverId);
    };
    return this.inTurn(work).then(
      () => true,
      (error: unknown) => {
        this.parts.logger.warn({ err: error, serverId }, 'server not compared yet');
        return false;
      },
    );
  }

  private async open(serverId: string, channelIds: readonly string[]): Promise<void> {
    await this.order('returnToPlaces', serverId, channelIds);
    await this.note(serverId, channelIds, true);
  }

  /** Leaves a server. Its row is deleted last: until then the next session notices it again. */
  private async close(serverId: string, channelIds: readonly string[]): Promise<void> {
    const [row] = await this.parts.database.writer('system').$queryRaw<{ places: string[] }[]>`
      UPDATE discord_servers SET held = false WHERE server_id = ${serverId} RETURNING places`;
    const places = [...new Set([...channelIds, ...(row?.places ?? [])])];
    await this.order('leavePlaces', serverId, places);
    await this.forget(places);
    await this.parts.database.writer('system').$executeRaw`
      DELETE FROM discord_servers WHERE server_id = ${serverId}`;
    this.parts.logger.info({ serverId, places: places.length }, 'server left');
  }

  /** Drops the cursors of places, the notes of live replies there, and reports that not all of them was read. */
  private async forget(places: readonly string[]): Promise<void> {
    await this.parts.cursors.drop(places);
    await this.parts.notes.dropIn(places);
    for (const place of places) {
      this.noted.delete(place);
      this.parts.skippedMessages.clear(place);
    }
  }

  /** Gives the order in as many parts as its places need, at least one. */
  private async order(
    name: 'returnToPlaces' | 'leavePlaces' | 'deletePlaces',
    within: string,
    places: readonly string[],
  ): Promise<void> {
    const order = { door: 'discord' as const, within, at: new Date().toISOString() };
    for (let from = 0; from === 0 || from < places.length; from += MAX_PLACES) {
      const part = { ...order, places: places.slice(from, from + MAX_PLACES) };
      await this.parts.messenger.enqueue(gatewayContract[name], part);
    }
  }

  private async note(
    serverId: string,
    channelIds: readonly string[],
    held: boolean,
    threads: Record<string, string> = {},
  ): Promise<void> {
    await this.parts.database.writer('system').$executeRaw`
      INSERT INTO discord_servers AS known (server_id, places, held, threads)
      VALUES (${serverId}, ${[...channelIds]}::text[], ${held}, ${toJsonb(threads)}::jsonb)
      ON CONFLICT (server_id) DO UPDATE
      SET places = ARRAY(SELECT DISTINCT unnest(known.places || excluded.places)),
        held = known.held OR excluded.held,
        threads = known.threads || excluded.threads
      WHERE NOT known.places @> excluded.places OR excluded.held AND NOT known.held
        OR NOT known.threads @> excluded.threads`;
  }
}
