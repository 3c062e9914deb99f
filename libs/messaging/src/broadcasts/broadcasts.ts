import type { Redis } from 'ioredis';
import { BLOCK_MS, closeConnection, openConnection, untilReady, withinReach } from '../redis/connection.js';
import type { MessagingLogger } from '../logger.js';
import type { ServiceOptions } from '../service-options.js';
import { broadcastChannel, DEFAULT_KEY_PREFIX } from '../streams/keys.js';

type Listener = (payload: unknown) => void;

export interface BroadcastsOptions extends ServiceOptions {
  /** Time `subscribe` tries to reach Redis before it throws `unavailable`. */
  readonly subscribeWithinMs?: number;
}

// A process that has just started may publish before its connection stands.
const FIRST_CONTACT_MS = 2_000;

/** Plain pub/sub, for what may be lost: token streams, live mood, cache invalidation. */
export class Broadcasts {
  /** Undefined where broadcasts stay among the services of this process. */
  private readonly publisher: Redis | undefined;
  private readonly firstContact: Promise<void>;
  private subscriber: Redis | undefined;
  private pinging: NodeJS.Timeout | undefined;
  private gaps = 0;
  private isConnected = false;
  private isClosed = false;
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly prefix: string;
  private readonly log: MessagingLogger;

  constructor(private readonly options: BroadcastsOptions) {
    this.log = options.logger;
    this.prefix = broadcastChannel(options.keyPrefix ?? DEFAULT_KEY_PREFIX, '');
    this.publisher = options.neighbours
      ? undefined
      : openConnection(options.redisUrl, `${options.service}-publisher`, this.log);
    this.firstContact = this.publisher
      ? untilReady(this.publisher, FIRST_CONTACT_MS).catch(() => undefined)
      : Promise.resolve();
  }

  /** Sends to whoever listens right now. Never throws: while Redis is away the broadcast is lost. */
  async publish(channel: string, payload: unknown): Promise<void> {
    const { neighbours } = this.options;
    if (neighbours) {
      neighbours.publish(this.prefix + channel, payload, (error) => this.tellFailure(channel, error));
      return;
    }
    await this.firstContact;
    const name = this.prefix + channel;
    await this.publisher?.publish(name, JSON.stringify(payload)).catch(this.refusedOn(name));
  }

  /**
   * Calls `listener` with each payload published on the channel from when this resolves, also after Redis was away;
   * what was sent meanwhile is lost. Returns how to stop. Throws `unavailable` without Redis.
   */
  async subscribe(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const name = this.prefix + channel;
    const { neighbours } = this.options;
    if (neighbours) {
      const leave = neighbours.subscribe(name, listener);
      return () => Promise.resolve().then(leave);
    }
    const subscriber = this.listenOn(name, listener);
    const stop = () => this.leave(name, listener);
    try {
      await withinReach(
        subscriber,
        this.options.subscribeWithinMs ?? 5_000,
        `subscribing to ${channel}`,
        () => subscriber.subscribe(name),
      );
    } catch (error) {
      await stop();
      throw error;
    }
    return stop;
  }

  /** Does the same without waiting: hears the channel from when Redis is there. Returns a function that stops it. */
  hear(channel: string, listener: Listener): () => void {
    const name = this.prefix + channel;
    const { neighbours } = this.options;
    if (neighbours) return neighbours.subscribe(name, listener);
    const subscriber = this.listenOn(name, listener);
    // A connection that is not there yet subscribes to all channels once it is.
    if (subscriber.status === 'ready')
      subscriber.subscribe(name).then(() => (this.gaps += 1), this.refusedOn(name));
    return () => void this.leave(name, listener);
  }

  /** True while what is published arrives here. */
  get isHearing(): boolean {
    return this.options.neighbours !== undefined || this.isConnected;
  }

  /** Changes whenever something may have been published that did not arrive here. */
  get gap(): number {
    return this.gaps;
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.pinging);
    if (this.subscriber) closeConnection(this.subscriber);
    if (this.publisher) closeConnection(this.publisher);
    this.listeners.clear();
  }

  private listenOn(name: string, listener: Listener): Redis {
    const listeners = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, listeners.add(listener));
    return (this.subscriber ??= this.openSubscriber());
  }

  private async leave(name: string, listener: Listener): Promise<void> {
    const listeners = this.listeners.get(name);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    this.listeners.delete(name);
    await this.subscriber?.unsubscribe(name).catch(() => undefined);
  }

  private openSubscriber(): Redis {
    const subscriber = openConnection(this.options.redisUrl, `${this.options.service}-subscriber`, this.log);
    if (this.isClosed) {
      closeConnection(subscriber);
      return subscriber;
    }
    subscriber.on('ready', () => {
      // One by one: Redis subscribes to none of those asked for together where it refuses one of them.
      const subscribed = [...this.listeners.keys()].map((name) =>
        subscriber.subscribe(name).then(() => true, this.refusedOn(name)),
      );
      void Promise.all(subscribed).then((all) => {
        if (all.every(Boolean)) this.noteGap(true);
      });
    });
    subscriber.on('close', () => this.noteGap(false));
    // Nothing else is sent here: only an answer that stays out shows that the connection is half open.
    this.pinging = setInterval(() => void subscriber.ping().catch(() => undefined), BLOCK_MS).unref();
    subscriber.on('message', (name: string, json: string) => {
      for (const listener of this.listeners.get(name) ?? []) this.tell(listener, name, json);
    });
    return subscriber;
  }

  private noteGap(isConnected: boolean): void {
    this.isConnected = isConnected;
    this.gaps += 1;
  }

  /** Logs a channel that this service's user may not use. Redis being away is logged by its connection. */
  private refusedOn(channel: string): (error: unknown) => false {
    return (error) => {
      if (error instanceof Error && error.message.startsWith('NOPERM'))
        this.log.error({ channel, err: error }, 'Redis refused a broadcast to this service');
      return false;
    };
  }

  /** One listener's failure is not the others', nor the process's end. */
  private tell(listener: Listener, channel: string, json: string): void {
    try {
      listener(JSON.parse(json));
    } catch (error) {
      this.tellFailure(channel, error);
    }
  }

  private tellFailure(channel: string, error: unknown): void {
    this.log.error({ channel, err: error }, 'a broadcast listener failed');
  }
}
