import { randomUUID } from 'node:crypto';
import { present, isDoneWithin } from '@kith/contracts';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import { closeConnection, openConnection, openReader } from '../redis/connection.js';
import type { Neighbours } from '../local/neighbours.js';
import type { Parsed } from '../local/parsed.js';
import type { MessagingLogger } from '../logger.js';
import type { ConsumerSettings, ClaimedEntry } from './claimed-entry.js';
import { decodeMessage } from './entry.js';
import { DIED } from './bury.js';
import { EventHearer } from './event-hearer.js';
import { EventTrimmer } from './event-trimmer.js';
import { logBug, resultOf, type Handling } from './handling.js';
import { DEFAULT_KEY_PREFIX, eventStream, ownerOf, requestStream } from './keys.js';
import { requestReaderName } from './presence.js';
import { RedisClock } from './redis-clock.js';
import { RequestAnswerer } from './request-answerer.js';
import { SERVER_DEFAULTS, type HandledEntry, type StreamsServerOptions } from './server-options.js';
import { StreamConsumer, type ConsumerHandlers } from './stream-consumer.js';

/** Tells Nest which handlers are ours when a process has several transports. */
export const STREAMS_TRANSPORT = Symbol.for('kith.redis-streams');

/**
 * Nest's transport over Redis Streams. A service's requests are read from one stream per owner, events from one per
 * pattern, through the service's consumer group: replicas share the work, what was sent while none was there is
 * found on start, and what a killed replica had in hand is taken over. Delivery is at least once.
 */
export class StreamsServer extends Server implements CustomTransportStrategy {
  override readonly transportId = STREAMS_TRANSPORT;
  // Handlers' errors reach this transport, which answers, retries and logs.
  override readonly propagatesEventHandlerErrors = true;

  private readonly settings: Required<Omit<StreamsServerOptions, 'observe' | 'logger' | 'neighbours'>>;
  private readonly log: MessagingLogger;
  private readonly observe: (handled: HandledEntry) => void;
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
    this.settings = { keyPrefix: DEFAULT_KEY_PREFIX, ...SERVER_DEFAULTS, ...settings };
    this.log = logger;
    this.observe = observe ?? (() => undefined);
    this.neighbours = neighbours;
  }

  /**
   * Starts reading. Does not wait for Redis: while it is away the reader keeps trying, and what is sent
   * meanwhile by others is read once it is back.
   */
  listen(callback: (error?: unknown) => void): void {
    const { redisUrl, group, keyPrefix } = this.settings;
    const { log, observe } = this;
    this.commands = openConnection(redisUrl, `${group}-server`, log);
    const handlerOf = (pattern: string) => this.messageHandlers.get(pattern);
    const handling: Handling = { commands: this.commands, group, keyPrefix, log, observe, handlerOf };
    const patternsOf = (isEvent: boolean) =>
      [...this.messageHandlers]
        .filter(([, h]) => (h.isEventHandler ?? false) === isEvent)
        .map(([name]) => name);
    const [requests, events] = [patternsOf(false), patternsOf(true)];
    if (requests.length > 0) this.answerRequests(handling, requests);
    if (events.length > 0) this.hearEvents(handling, events);
    this.openToNeighbours();
    callback();
  }

  /** Takes nothing more, finishes and acknowledges what it has, and leaves. */
  async close(): Promise<void> {
    this.trimmer?.stop();
    this.clock?.stop();
    for (const leave of this.leave.splice(0)) leave();
    await Promise.all([
      isDoneWithin(Promise.allSettled(this.inWork), this.settings.drainMs),
      ...this.consumers.map((consumer) => consumer.close(this.settings.drainMs)),
    ]);
    this.consumers = [];
    if (this.commands) closeConnection(this.commands);
  }

  override on(): void {
    throw new Error('StreamsServer emits no events');
  }

  // Nest's own signature.
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  override unwrap<T>(): T {
    return this.commands as T;
  }

  /** Lets the other services of this process call the handlers directly. */
  private openToNeighbours(): void {
    const { neighbours } = this;
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
    const observe = (outcome: HandledEntry['outcome']) =>
      this.observe({ kind, pattern, outcome, tookMs: performance.now() - startedAt });
    const work = resultOf(handler(payload));
    this.inWork.add(work);
    try {
      const result = await work;
      observe('ok');
      return result;
    } catch (error) {
      logBug(this.log, error, pattern);
      observe('error');
      throw error;
    } finally {
      this.inWork.delete(work);
    }
  }

  private answerRequests(handling: Handling, patterns: readonly string[]): void {
    const { keyPrefix } = this.settings;
    const owners = [...new Set(patterns.map(ownerOf))];
    const streams = [...new Set(patterns.map((pattern) => requestStream(keyPrefix, pattern)))];
    this.clock = new RedisClock(handling.commands);
    const answerer = new RequestAnswerer(handling, this.clock);
    const patternOf = ({ fields }: ClaimedEntry) => decodeMessage(fields).pattern ?? '';
    this.consume(handling, streams, requestReaderName(owners, this.consumerName), {
      handle: (entry) => answerer.answer(entry, patternOf(entry)),
      giveUp: (entry) => {
        const pattern = patternOf(entry);
        this.observe({ kind: 'request', pattern, outcome: 'dead', tookMs: 0 });
        return answerer.refuse(entry, pattern);
      },
    });
  }

  private hearEvents(handling: Handling, patterns: readonly string[]): void {
    const { keyPrefix, group, trimAfterMs, maxDeliveries } = this.settings;
    const byStream = new Map(patterns.map((pattern) => [eventStream(keyPrefix, pattern), pattern]));
    this.trimmer = new EventTrimmer(handling.commands, trimAfterMs, this.log);
    const hearer = new EventHearer(handling, this.trimmer, maxDeliveries);
    const patternOf = ({ stream }: ClaimedEntry) => present(byStream.get(stream));
    this.consume(handling, [...byStream.keys()], `${group}-event-reader-${this.consumerName}`, {
      handle: (entry) => hearer.hear(entry, patternOf(entry)),
      giveUp: (entry) => {
        const pattern = patternOf(entry);
        this.observe({ kind: 'event', pattern, outcome: 'dead', tookMs: 0 });
        return hearer.bury(entry, pattern, DIED);
      },
    });
    for (const stream of byStream.keys()) this.trimmer.order(stream);
  }

  private consume({ commands }: Handling, streams: string[], readerName: string, handlers: ConsumerHandlers) {
    const settings: ConsumerSettings = { ...this.settings, consumer: this.consumerName, streams };
    const reader = openReader(this.settings.redisUrl, readerName, this.log);
    const consumer = new StreamConsumer(commands, reader, settings, handlers, this.log);
    this.consumers.push(consumer);
    consumer.start();
  }
}
