import { randomUUID } from 'node:crypto';
import { AppError, isRetryable } from '@kith/contracts';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import { isObservable, lastValueFrom } from 'rxjs';
import { closeConnection, openConnection, withinReach } from '../connection.js';
import { withCorrelationId } from '../correlation.js';
import { type MessagingLogger, nestLogger } from '../logger.js';
import { toWireError } from '../wire-errors.js';
import { burialCommand } from './dead-letters.js';
import { decodeMessage, type StreamMessage } from './entry.js';
import { DEFAULT_KEY_PREFIX, eventStream, requestStream } from './keys.js';
import type { ConsumerSettings, Delivery } from './delivery.js';
import { RedisClock } from './redis-clock.js';
import { StreamConsumer } from './stream-consumer.js';
import { trimEvents } from './trim-events.js';

/** Tells Nest which handlers are ours when a process has several transports. */
export const STREAMS_TRANSPORT = Symbol.for('kith.redis-streams');

/** One handled request or event, for metrics. */
export interface Handled {
  readonly kind: 'request' | 'event';
  readonly pattern: string;
  /** `expired`: nobody waited for the answer any more, so nothing was done. */
  readonly outcome: 'ok' | 'error' | 'expired';
  readonly tookMs: number;
}

export interface StreamsServerOptions {
  readonly redisUrl: string;
  /** The service's name: its replicas share each request and each event. */
  readonly group: string;
  readonly keyPrefix?: string;
  readonly logger?: MessagingLogger;
  /** Called after each; must not throw. */
  readonly observe?: (handled: Handled) => void;
  /** Requests in work at a time, and again as many events. */
  readonly concurrency?: number;
  /** After so long without a sign of life an entry is taken over; also the wait before a failed event's next try. */
  readonly claimIdleMs?: number;
  /** Tries before an event becomes a dead letter. */
  readonly maxDeliveries?: number;
  readonly forgetConsumerAfterMs?: number;
  readonly trimEveryMs?: number;
  /** How long `close` waits for what is in work. */
  readonly drainMs?: number;
}

const DEFAULTS = {
  concurrency: 64,
  // A killed replica's work is with another one within 10 s and a quarter.
  claimIdleMs: 10_000,
  maxDeliveries: 5,
  forgetConsumerAfterMs: 60 * 60 * 1_000,
  trimEveryMs: 30_000,
  // A request's asker has given up by then.
  drainMs: 5_000,
};

// An asker that died leaves its reply stream behind for so long.
const REPLY_STREAM_LIFE_MS = 120_000;
const SETTLE_WITHIN_MS = 30_000;

/**
 * Nest's transport over Redis Streams. Requests and events are each read from one stream per pattern,
 * through the service's consumer group: replicas share the work, what was sent while none was there is
 * found on start, and what a killed replica had in hand is taken over. Delivery is at least once.
 */
export class StreamsServer extends Server implements CustomTransportStrategy {
  override readonly transportId = STREAMS_TRANSPORT;
  // Handlers' errors reach `handle*` below, which answers, retries and logs.
  override readonly propagatesEventHandlerErrors = true;

  private readonly settings: Required<Omit<StreamsServerOptions, 'observe' | 'logger'>>;
  private readonly log: MessagingLogger;
  private readonly observe: (handled: Handled) => void;
  private readonly consumerName = `${process.pid}-${randomUUID().slice(0, 8)}`;
  private commands: Redis | undefined;
  private clock: RedisClock | undefined;
  private consumers: StreamConsumer[] = [];
  private trimming: NodeJS.Timeout | undefined;

  constructor(options: StreamsServerOptions) {
    super();
    const { logger, observe, ...settings } = options;
    this.settings = { keyPrefix: DEFAULT_KEY_PREFIX, ...DEFAULTS, ...settings };
    this.log = logger ?? nestLogger();
    this.observe = observe ?? (() => undefined);
  }

  /**
   * Starts reading. Does not wait for Redis: while it is away the reader keeps trying, and what is sent
   * meanwhile by others is read once it is back.
   */
  listen(callback: (error?: unknown) => void): void {
    const { redisUrl, group } = this.settings;
    this.commands = openConnection(redisUrl, `${group}-server`, this.log);
    this.clock = new RedisClock(this.commands);
    const handlers = [...this.messageHandlers.entries()];
    this.consume(
      'request',
      handlers.filter(([, handler]) => !handler.isEventHandler),
    );
    this.consume(
      'event',
      handlers.filter(([, handler]) => handler.isEventHandler),
    );
    callback();
  }

  /** Takes nothing more, finishes and acknowledges what it has, and leaves. */
  async close(): Promise<void> {
    clearInterval(this.trimming);
    this.clock?.stop();
    await Promise.all(this.consumers.map((consumer) => consumer.close(this.settings.drainMs)));
    this.consumers = [];
    if (this.commands) closeConnection(this.commands);
  }

  override on(): void {
    throw new Error('StreamsServer emits no events');
  }

  override unwrap<T>(): T {
    return this.commands as T;
  }

  private consume(kind: 'request' | 'event', handlers: [pattern: string, handler: MessageHandler][]): void {
    if (handlers.length === 0) return;
    const { redisUrl, group, keyPrefix } = this.settings;
    const streamOf = kind === 'request' ? requestStream : eventStream;
    const byStream = new Map(
      handlers.map(([pattern, handler]) => [streamOf(keyPrefix, pattern), { pattern, handler }]),
    );
    const streams = [...byStream.keys()];
    const settings: ConsumerSettings = { ...this.settings, consumer: this.consumerName, streams };
    const commands = this.commands!;
    const reader = openConnection(redisUrl, `${group}-${kind}-reader-${this.consumerName}`, this.log);
    const handle =
      kind === 'request'
        ? (delivery: Delivery) => this.answer(delivery, byStream.get(delivery.stream)!)
        : (delivery: Delivery) => this.hear(delivery, byStream.get(delivery.stream)!);
    const giveUp =
      kind === 'request'
        ? (delivery: Delivery) => this.refuse(delivery)
        : (delivery: Delivery) =>
            this.bury(delivery, byStream.get(delivery.stream)!.pattern, 'the service died while handling it');
    const consumer = new StreamConsumer(commands, reader, settings, { handle, giveUp }, this.log);
    this.consumers.push(consumer);
    consumer.start();
    if (kind === 'event') this.keepTrimmed(commands, streams);
  }

  private keepTrimmed(commands: Redis, streams: readonly string[]): void {
    this.trimming = setInterval(() => {
      if (commands.status !== 'ready') return;
      for (const stream of streams) {
        trimEvents(commands, stream).catch((error: unknown) =>
          this.log.warn({ stream, err: error }, 'could not trim an event stream'),
        );
      }
    }, this.settings.trimEveryMs);
    this.trimming.unref();
  }

  private async answer(delivery: Delivery, { pattern, handler }: Target): Promise<void> {
    const startedAt = performance.now();
    const message = decodeMessage(delivery.fields);
    const observe = (outcome: Handled['outcome']) =>
      this.observe({ kind: 'request', pattern, outcome, tookMs: performance.now() - startedAt });
    if (message.reply && (await this.ageOf(delivery)) > message.reply.timeoutMs) {
      await this.settleRequest(delivery, message);
      return observe('expired');
    }
    try {
      const answer = await this.run(handler, message);
      await this.settleRequest(delivery, message, ['d', JSON.stringify(answer ?? null)]);
      observe('ok');
    } catch (error) {
      this.logBug(error, pattern, message);
      await this.settleRequest(delivery, message, ['e', JSON.stringify(toWireError(error))]);
      observe('error');
    }
  }

  /** How long ago an entry was sent; 0 while Redis' clock is not known. */
  private async ageOf({ id }: Delivery): Promise<number> {
    const now = this.clock?.now() ?? (await this.clock?.ask()) ?? null;
    return now === null ? 0 : now - Number(id.split('-')[0]);
  }

  /** A request that killed its replica time and again. */
  private async refuse(delivery: Delivery): Promise<void> {
    const message = decodeMessage(delivery.fields);
    const error = new AppError('internal', 'the service died while answering');
    this.log.error({ stream: delivery.stream, deliveries: delivery.number - 1 }, 'a request was given up');
    await this.settleRequest(delivery, message, ['e', JSON.stringify(toWireError(error))]);
  }

  private async hear(delivery: Delivery, { pattern, handler }: Target): Promise<void> {
    const startedAt = performance.now();
    const message = decodeMessage(delivery.fields);
    if (message.onlyGroup !== undefined && message.onlyGroup !== this.settings.group) {
      return this.acknowledgeEvent(delivery);
    }
    const observe = (outcome: Handled['outcome']) =>
      this.observe({ kind: 'event', pattern, outcome, tookMs: performance.now() - startedAt });
    try {
      await this.run(handler, message);
    } catch (error) {
      observe('error');
      const { correlationId } = message;
      const last = delivery.number >= this.settings.maxDeliveries;
      const hopeless = error instanceof AppError && !isRetryable(error.code);
      if (last || hopeless) return this.bury(delivery, pattern, describe(error), error);
      // Left unacknowledged: it comes again when the claim time is over.
      return this.log.warn(
        { pattern, correlationId, delivery: delivery.number, err: error },
        'an event failed',
      );
    }
    await this.acknowledgeEvent(delivery);
    observe('ok');
  }

  private async bury(delivery: Delivery, pattern: string, reason: string, error?: unknown): Promise<void> {
    const { stream, id, fields, number: deliveries } = delivery;
    const { json, correlationId } = decodeMessage(fields);
    const { group: service, keyPrefix } = this.settings;
    this.log.error({ pattern, correlationId, deliveries, err: error }, 'an event became a dead letter');
    const letter = { stream, pattern, service, json, correlationId, deliveries, error: reason };
    await this.settle(() =>
      this.commands!.multi()
        .xadd(...(burialCommand(keyPrefix, letter) as [string, string, string]))
        .xack(stream, service, id)
        .exec(),
    );
  }

  private async run(handler: MessageHandler, message: StreamMessage): Promise<unknown> {
    return withCorrelationId(message.correlationId, async () => {
      const result: unknown = await handler(JSON.parse(message.json));
      return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
    });
  }

  /** One stream, one group: an answered request is deleted, so its stream stays empty. */
  private settleRequest(delivery: Delivery, message: StreamMessage, answer?: string[]): Promise<void> {
    const { stream, id } = delivery;
    return this.settle(() => {
      const pipeline = this.commands!.pipeline();
      if (message.reply && answer) {
        pipeline.xadd(message.reply.stream, '*', 'i', message.reply.requestId, ...answer);
        pipeline.pexpire(message.reply.stream, REPLY_STREAM_LIFE_MS);
      }
      return pipeline.xack(stream, this.settings.group, id).xdel(stream, id).exec();
    });
  }

  /** Other services may still need the entry: trimming removes it. */
  private acknowledgeEvent({ stream, id }: Delivery): Promise<void> {
    return this.settle(() => this.commands!.pipeline().xack(stream, this.settings.group, id).exec());
  }

  /** Handled work is acknowledged even when Redis is away for a while: else it would be done again. */
  private async settle(commands: () => Promise<[Error | null, unknown][] | null>): Promise<void> {
    await withinReach(this.commands!, SETTLE_WITHIN_MS, 'acknowledging', async () => {
      for (const [error] of (await commands()) ?? []) if (error) throw error;
    });
  }

  private logBug(error: unknown, pattern: string, { correlationId }: StreamMessage): void {
    if (error instanceof AppError) return;
    this.log.error({ pattern, correlationId, err: error }, 'a request met an unexpected error');
  }
}

interface Target {
  readonly pattern: string;
  readonly handler: MessageHandler;
}

function describe(error: unknown): string {
  return error instanceof AppError ? `${error.code}: ${error.message}` : String(error);
}
