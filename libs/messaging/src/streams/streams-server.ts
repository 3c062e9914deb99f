import { randomUUID } from 'node:crypto';
import { AppError, isRetryable } from '@kith/contracts';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { ChainableCommander, Redis } from 'ioredis';
import { isObservable, lastValueFrom } from 'rxjs';
import { closeConnection, openConnection, openReader, withinReach } from '../connection.js';
import { withCorrelationId } from '../correlation.js';
import type { Neighbours } from '../local/neighbours.js';
import type { Parsed } from '../local/parsed.js';
import { type MessagingLogger, nestLogger } from '../logger.js';
import { toWireError } from '../wire-errors.js';
import { burialCommand, type Burial } from './dead-letters.js';
import { decodeMessage, type StreamMessage } from './entry.js';
import { DEFAULT_KEY_PREFIX, eventStream, ownerOf, requestStream } from './keys.js';
import { EventTrimmer } from './event-trimmer.js';
import { numberOf, type ConsumerSettings, type Delivery } from './delivery.js';
import { requestReaderName } from './presence.js';
import { RedisClock } from './redis-clock.js';
import { StreamConsumer } from './stream-consumer.js';

/** Tells Nest which handlers are ours when a process has several transports. */
export const STREAMS_TRANSPORT = Symbol.for('kith.redis-streams');

/** One handled request or event, for metrics. */
export interface Handled {
  readonly kind: 'request' | 'event';
  readonly pattern: string;
  /** `expired`: nobody waited for the answer any more. `dead`: it had ended its process too often. Both were not run. */
  readonly outcome: 'ok' | 'error' | 'expired' | 'dead';
  readonly tookMs: number;
}

export interface StreamsServerOptions {
  readonly redisUrl: string;
  /** The service's name: its replicas share each request and each event. */
  readonly group: string;
  readonly keyPrefix?: string;
  readonly logger?: MessagingLogger;
  /** The services of the same process, where there are any: they call its handlers directly. */
  readonly neighbours?: Neighbours;
  /** Called after each; must not throw. */
  readonly observe?: (handled: Handled) => void;
  /** Requests in work at a time, and again as many events. */
  readonly concurrency?: number;
  /** After so long without a sign of life an entry is taken over; also the wait before a failed event's next try. */
  readonly claimIdleMs?: number;
  /** Tries before an event becomes a dead letter. */
  readonly maxDeliveries?: number;
  /** Deaths of its process before a request or an event becomes a dead letter. */
  readonly maxDeaths?: number;
  readonly forgetConsumerAfterMs?: number;
  /** Pause between an acknowledgement and the removal of events that all have heard. */
  readonly trimAfterMs?: number;
  /** Time `close` waits for messages in work. */
  readonly drainMs?: number;
}

const DEFAULTS = {
  concurrency: 64,
  // A killed replica's work is with another one within 10 s and a quarter.
  claimIdleMs: 10_000,
  maxDeliveries: 5,
  // Once may be chance: the process dies with all that it has in hand. What is there both times is the cause.
  maxDeaths: 2,
  forgetConsumerAfterMs: 60 * 60 * 1_000,
  trimAfterMs: 30_000,
  // A request's asker has given up by then.
  drainMs: 5_000,
};

// An asker that died leaves its reply stream behind for so long.
const REPLY_STREAM_LIFE_MS = 120_000;
const SETTLE_WITHIN_MS = 30_000;

/**
 * Nest's transport over Redis Streams. A service's requests are read from one stream per owner, events from one per
 * pattern, through the service's consumer group: replicas share the work, what was sent while none was there is
 * found on start, and what a killed replica had in hand is taken over. Delivery is at least once.
 */
export class StreamsServer extends Server implements CustomTransportStrategy {
  override readonly transportId = STREAMS_TRANSPORT;
  // Handlers' errors reach `handle*` below, which answers, retries and logs.
  override readonly propagatesEventHandlerErrors = true;

  private readonly settings: Required<Omit<StreamsServerOptions, 'observe' | 'logger' | 'neighbours'>>;
  private readonly log: MessagingLogger;
  private readonly observe: (handled: Handled) => void;
  private readonly consumerName = `${process.pid}-${randomUUID().slice(0, 8)}`;
  private commands: Redis | undefined;
  private clock: RedisClock | undefined;
  private consumers: StreamConsumer[] = [];
  private trimmer: EventTrimmer | undefined;
  private readonly neighbours: Neighbours | undefined;
  private leave: (() => void)[] = [];
  private readonly inWork = new Set<Promise<unknown>>();

  constructor(options: StreamsServerOptions) {
    super();
    const { logger, observe, neighbours, ...settings } = options;
    this.settings = { keyPrefix: DEFAULT_KEY_PREFIX, ...DEFAULTS, ...settings };
    this.log = logger ?? nestLogger();
    this.observe = observe ?? (() => undefined);
    this.neighbours = neighbours;
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
    this.openToNeighbours(this.neighbours);
    callback();
  }

  /** Takes nothing more, finishes and acknowledges what it has, and leaves. */
  async close(): Promise<void> {
    this.trimmer?.stop();
    this.clock?.stop();
    for (const leave of this.leave.splice(0)) leave();
    const drained = Promise.allSettled(this.inWork);
    const late = new Promise((resolve) => setTimeout(resolve, this.settings.drainMs).unref());
    await Promise.all([
      Promise.race([drained, late]),
      ...this.consumers.map((consumer) => consumer.close(this.settings.drainMs)),
    ]);
    this.consumers = [];
    if (this.commands) closeConnection(this.commands);
  }

  override on(): void {
    throw new Error('StreamsServer emits no events');
  }

  // Nest's own signature.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters
  override unwrap<T>(): T {
    return this.commands as T;
  }

  /** Lets the services of this process call the handlers without a way over Redis. */
  private openToNeighbours(neighbours: Neighbours | undefined): void {
    if (!neighbours) return;
    for (const [pattern, handler] of this.messageHandlers) {
      const kind = handler.isEventHandler ? 'event' : 'request';
      const handle = (payload: Parsed) => this.handleHere(kind, pattern, handler, payload);
      this.leave.push(
        kind === 'event'
          ? neighbours.addHearer(pattern, this.settings.group, handle)
          : neighbours.addAnswerer(pattern, handle),
      );
    }
  }

  private async handleHere(
    kind: 'request' | 'event',
    pattern: string,
    handler: MessageHandler,
    payload: Parsed,
  ): Promise<unknown> {
    const startedAt = performance.now();
    const observe = (outcome: Handled['outcome']) =>
      this.observe({ kind, pattern, outcome, tookMs: performance.now() - startedAt });
    const work = resultOf(handler(payload));
    this.inWork.add(work);
    try {
      const result = await work;
      observe('ok');
      return result;
    } catch (error) {
      if (!(error instanceof AppError)) this.log.error({ pattern, err: error }, UNEXPECTED);
      observe('error');
      throw error;
    } finally {
      this.inWork.delete(work);
    }
  }

  private consume(kind: 'request' | 'event', handlers: [pattern: string, handler: MessageHandler][]): void {
    if (handlers.length === 0) return;
    const { redisUrl, group, keyPrefix } = this.settings;
    const streamOf = kind === 'request' ? requestStream : eventStream;
    const patternByStream = new Map(handlers.map(([pattern]) => [streamOf(keyPrefix, pattern), pattern]));
    const streams = [...patternByStream.keys()];
    const settings: ConsumerSettings = { ...this.settings, consumer: this.consumerName, streams };
    const commands = this.commands!;
    const owners = [...new Set(handlers.map(([pattern]) => ownerOf(pattern)))];
    const name =
      kind === 'request'
        ? requestReaderName(owners, this.consumerName)
        : `${group}-event-reader-${this.consumerName}`;
    const reader = openReader(redisUrl, name, this.log);
    const patternOf = (delivery: Delivery) =>
      (kind === 'event' && patternByStream.get(delivery.stream)) ||
      decodeMessage(delivery.fields).pattern ||
      '';
    const handle = (delivery: Delivery) =>
      kind === 'request'
        ? this.answer(delivery, patternOf(delivery))
        : this.hear(delivery, patternOf(delivery));
    const giveUp = (delivery: Delivery) => {
      const pattern = patternOf(delivery);
      this.observe({ kind, pattern, outcome: 'dead', tookMs: 0 });
      return kind === 'request' ? this.refuse(delivery, pattern) : this.bury(delivery, pattern, DIED);
    };
    const consumer = new StreamConsumer(commands, reader, settings, { handle, giveUp }, this.log);
    this.consumers.push(consumer);
    consumer.start();
    if (kind === 'request') return;
    this.trimmer = new EventTrimmer(commands, this.settings.trimAfterMs, this.log);
    for (const stream of streams) this.trimmer.order(stream);
  }

  private async answer(delivery: Delivery, pattern: string): Promise<'settled' | 'failed'> {
    const startedAt = performance.now();
    const message = decodeMessage(delivery.fields);
    const observe = (outcome: Handled['outcome']) =>
      this.observe({ kind: 'request', pattern, outcome, tookMs: performance.now() - startedAt });
    if (message.reply) {
      const ageMs = await this.ageOf(delivery, message.reply.timeoutMs);
      // Without Redis' clock a first delivery is taken as fresh; one that comes again waits for the clock.
      if (ageMs === null && delivery.deaths > 0) return 'failed';
      if (ageMs !== null && ageMs > message.reply.timeoutMs) {
        if (delivery.deaths > 0)
          this.log.warn({ pattern, correlationId: message.correlationId }, 'a request died with its process');
        await this.settleRequest(delivery, message);
        observe('expired');
        return 'settled';
      }
    }
    try {
      const handler = this.messageHandlers.get(pattern);
      // Asked by a newer version than this replica's.
      if (!handler) throw new AppError('unavailable', `nobody here answers ${pattern}`);
      const answer = await this.run(handler, message);
      await this.settleRequest(delivery, message, ['d', JSON.stringify(answer ?? null)]);
      observe('ok');
    } catch (error) {
      this.logBug(error, pattern, message);
      await this.settleRequest(delivery, message, ['e', JSON.stringify(toWireError(error))]);
      observe('error');
    }
    return 'settled';
  }

  /** Computes the age of an entry, by a clock set lately where that is over the limit; null while it is not known. */
  private async ageOf({ id }: Delivery, limitMs: number): Promise<number | null> {
    const clock = this.clock!;
    const sentAt = Number(id.split('-')[0]);
    const wasTrusted = clock.isTrusted;
    let now = clock.now() ?? (await clock.ask());
    if (now !== null && now - sentAt > limitMs && !wasTrusted) now = await clock.ask();
    return now === null ? null : now - sentAt;
  }

  /** Gives up a request that ended its process time and again: a dead letter without the words it carried. */
  private async refuse(delivery: Delivery, pattern: string): Promise<void> {
    const message = decodeMessage(delivery.fields);
    const { correlationId, json } = message;
    this.log.error({ pattern, correlationId, deaths: delivery.deaths }, 'a request became a dead letter');
    const error = new AppError('internal', 'the service died while answering');
    const letter: Burial = {
      ...this.letterOf(delivery, pattern, DIED),
      kind: 'request',
      json: JSON.stringify({ length: json.length }),
    };
    await this.settle(() => {
      const chain = this.commands!.multi().xadd(...(burialCommand(this.settings.keyPrefix, letter) as XAdd));
      return this.answerOn(chain, delivery, message, ['e', JSON.stringify(toWireError(error))]).exec();
    });
  }

  private async hear(delivery: Delivery, pattern: string): Promise<'settled' | 'failed'> {
    const startedAt = performance.now();
    const message = decodeMessage(delivery.fields);
    if (message.onlyGroup !== undefined && message.onlyGroup !== this.settings.group) {
      await this.acknowledgeEvent(delivery);
      return 'settled';
    }
    const observe = (outcome: Handled['outcome']) =>
      this.observe({ kind: 'event', pattern, outcome, tookMs: performance.now() - startedAt });
    try {
      await this.run(this.messageHandlers.get(pattern)!, message);
    } catch (error) {
      observe('error');
      const { correlationId } = message;
      const number = numberOf(delivery);
      const last = number >= this.settings.maxDeliveries;
      const hopeless = error instanceof AppError && !isRetryable(error.code);
      if (last || hopeless) {
        await this.bury(delivery, pattern, describe(error), error);
        return 'settled';
      }
      // Left unacknowledged: it comes again when the claim time is over.
      this.log.warn({ pattern, correlationId, delivery: number, err: error }, 'an event failed');
      return 'failed';
    }
    await this.acknowledgeEvent(delivery);
    observe('ok');
    return 'settled';
  }

  private async bury(delivery: Delivery, pattern: string, reason: string, error?: unknown): Promise<void> {
    const { stream, id } = delivery;
    const letter = this.letterOf(delivery, pattern, reason);
    const { correlationId, deliveries } = letter;
    this.log.error({ pattern, correlationId, deliveries, err: error }, 'an event became a dead letter');
    await this.settle(() =>
      this.commands!.multi()
        .xadd(...(burialCommand(this.settings.keyPrefix, letter) as XAdd))
        .xack(stream, letter.service, id)
        .exec(),
    );
    this.trimmer?.order(stream);
  }

  private letterOf(delivery: Delivery, pattern: string, reason: string): Burial {
    const { stream, fields, failures, deaths } = delivery;
    const { json, correlationId } = decodeMessage(fields);
    // What was given up by its deaths was not handed out again.
    const deliveries = reason === DIED ? failures + deaths : numberOf(delivery);
    const { group: service } = this.settings;
    return { kind: 'event', stream, pattern, service, json, correlationId, deliveries, error: reason };
  }

  private async run(handler: MessageHandler, message: StreamMessage): Promise<unknown> {
    return withCorrelationId(message.correlationId, () => resultOf(handler(JSON.parse(message.json))));
  }

  private settleRequest(delivery: Delivery, message: StreamMessage, answer?: string[]): Promise<void> {
    return this.settle(() => this.answerOn(this.commands!.pipeline(), delivery, message, answer).exec());
  }

  /** One stream, one group: an answered request is deleted, so its stream stays empty. */
  private answerOn(
    chain: ChainableCommander,
    { stream, id }: Delivery,
    { reply }: StreamMessage,
    answer?: string[],
  ): ChainableCommander {
    if (reply && answer) {
      chain.xadd(reply.stream, '*', 'i', reply.requestId, ...answer);
      chain.pexpire(reply.stream, REPLY_STREAM_LIFE_MS);
    }
    return chain.xack(stream, this.settings.group, id).xdel(stream, id);
  }

  /** Other services may still need the entry: trimming removes it. */
  private async acknowledgeEvent({ stream, id }: Delivery): Promise<void> {
    await this.settle(() => this.commands!.pipeline().xack(stream, this.settings.group, id).exec());
    this.trimmer?.order(stream);
  }

  /** Handled work is acknowledged even when Redis is away for a while: else it would be done again. */
  private async settle(commands: () => Promise<[Error | null, unknown][] | null>): Promise<void> {
    await withinReach(this.commands!, SETTLE_WITHIN_MS, 'acknowledging', async () => {
      for (const [error] of (await commands()) ?? []) if (error) throw error;
    });
  }

  private logBug(error: unknown, pattern: string, { correlationId }: StreamMessage): void {
    if (error instanceof AppError) return;
    this.log.error({ pattern, correlationId, err: error }, UNEXPECTED);
  }
}

const UNEXPECTED = 'a request met an unexpected error';
const DIED = 'the service died while handling it';

type XAdd = [string, string, string];

/** Awaits the result of a handler. Nest hands out promises and streams of one value. */
async function resultOf(handled: Promise<unknown>): Promise<unknown> {
  const result = await handled;
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}

function describe(error: unknown): string {
  return error instanceof AppError ? `${error.code}: ${error.message}` : String(error);
}
