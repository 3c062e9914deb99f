import { randomUUID } from 'node:crypto';
import { AppError, HOUR_MS } from '@kith/contracts';
import type { Redis } from 'ioredis';
import {
  BLOCK_MS,
  closeConnection,
  openReader,
  pauseAfter,
  untilReady,
  withinReach,
} from '../redis/connection.js';
import { correlationIdOrNew } from '../correlation.js';
import type { ServiceOptions } from '../service-options.js';
import { fromWireError, jsonOrText, lateAnswer } from '../wire-errors.js';
import { encodeMessage, fieldsByName } from './entry.js';
import { KEEP_EVENTS_MS } from './event-trimmer.js';
import { eventStream, ownerOf, replyStream, requestStream } from './keys.js';
import { Presence } from './presence.js';
import { RedisClock } from './redis-clock.js';

/** After this wait it is checked whether the service has a process at all: many times what most answers take. */
const CHECK_AFTER_MS = 200;

// Answers that were read are trimmed within this time: they may hold somebody's words, and the disk is scrubbed 10 s later.
const TRIM_WITHIN_MS = 2_000;
// Nobody waits that long: a request that an absent service never took is of no use any more.
const KEEP_REQUESTS_MS = HOUR_MS;
// One command removes many answers, which keeps asking quick.
const TRIM_AFTER = 128;

/** The asking side: sends to the streams and reads the answers from this process's own reply stream. */
export class StreamsClient {
  private readonly id = `${process.pid}-${randomUUID()}`;
  private readonly replies: string;
  private readonly clock: RedisClock;
  private readonly presence: Presence;
  private readonly waiting = new Map<string, PromiseWithResolvers<string>>();
  private sent = 0;
  private reader: Redis | undefined;
  private closing = false;

  constructor(
    private readonly options: Required<Omit<ServiceOptions, 'neighbours'>>,
    private readonly commands: Redis,
  ) {
    this.replies = replyStream(options.keyPrefix, options.service, this.id);
    this.clock = new RedisClock(commands);
    this.presence = new Presence(commands);
  }

  /**
   * Sends a request's JSON and resolves with the answer's, or rejects with an `AppError`.
   * @param ifThere gives up at once where the service's last process has gone
   */
  ask(pattern: string, json: string, timeoutMs: number, ifThere = false): Promise<string> {
    const service = ownerOf(pattern);
    const away = () => new AppError('unavailable', `${service} is away: ${pattern} was not asked`);
    if (ifThere && this.presence.isAway(service)) return Promise.reject(away());
    if (this.closing) return Promise.reject(shuttingDown());
    this.reader ??= this.startReading();
    const requestId = (this.sent += 1).toString(36);
    const correlationId = correlationIdOrNew();
    const askedAt = performance.now();
    const waiting = Promise.withResolvers<string>();
    const { promise, reject } = waiting;
    this.waiting.set(requestId, waiting);
    const timer = setTimeout(() => reject(lateAnswer(pattern, timeoutMs)), timeoutMs);
    const refuseIfAway = async () => (await this.presence.check(service)) || reject(away());
    const awayTimer = ifThere ? setTimeout(() => void refuseIfAway(), CHECK_AFTER_MS) : undefined;
    const stream = requestStream(this.options.keyPrefix, pattern);
    const send = () => {
      // The time spent on reaching Redis is taken off the time for the answer.
      const leftMs = Math.max(0, Math.round(timeoutMs - (performance.now() - askedAt)));
      const reply = { stream: this.replies, requestId, timeoutMs: leftMs };
      const fields = encodeMessage({ json, correlationId, pattern, reply });
      return this.commands.xadd(stream, 'MINID', '~', this.before(KEEP_REQUESTS_MS), '*', ...fields);
    };
    withinReach(this.commands, timeoutMs, `asking ${pattern}`, send).catch(reject);
    return promise.finally(() => {
      clearTimeout(timer);
      clearTimeout(awayTimer);
      this.waiting.delete(requestId);
    });
  }

  /** Puts an event on its stream, for all who hear it or for one service; resolved means that Redis has it. */
  async announce(pattern: string, json: string, withinMs: number, onlyGroup?: string): Promise<void> {
    const stream = eventStream(this.options.keyPrefix, pattern);
    const fields = encodeMessage({
      json,
      correlationId: correlationIdOrNew(),
      ...(onlyGroup && { onlyGroup }),
    });
    // The age bound is for events nobody listens to; where there are groups, they trim.
    await withinReach(this.commands, withinMs, `announcing ${pattern}`, () =>
      this.commands.xadd(stream, 'MINID', '~', this.before(KEEP_EVENTS_MS), '*', ...fields),
    );
  }

  async close(): Promise<void> {
    this.closing = true;
    this.clock.stop();
    for (const waiting of this.waiting.values()) {
      waiting.reject(shuttingDown());
    }
    if (this.reader) closeConnection(this.reader);
    if (this.reader && this.commands.status === 'ready') {
      await this.commands.del(this.replies).catch(() => undefined);
    }
  }

  /** The oldest entry id to keep, by the clock that made the ids. Before it is known, everything is kept. */
  private before(ageMs: number): number {
    return Math.max(0, Math.floor((this.clock.now() ?? 0) - ageMs));
  }

  private startReading(): Redis {
    const reader = openReader(this.options.redisUrl, 'reply-reader', this.options.logger);
    void this.readForEver(reader);
    return reader;
  }

  private async readForEver(reader: Redis): Promise<void> {
    let last = '0';
    let read: string[] = [];
    while (!this.isClosing()) {
      try {
        await untilReady(reader, 1_000);
        const blockMs = read.length > 0 ? TRIM_WITHIN_MS : BLOCK_MS;
        const news = await reader.xread('COUNT', 256, 'BLOCK', blockMs, 'STREAMS', this.replies, last);
        const answers = news?.[0]?.[1] ?? [];
        for (const [id, fields] of answers) {
          last = id;
          read.push(id);
          this.handOver(fieldsByName(fields));
        }
        if (read.length >= TRIM_AFTER || (read.length > 0 && answers.length === 0)) {
          this.forgetRead(read);
          read = [];
        }
        // The stream may begin anew, with smaller ids where a clock was set back. For an answer that is read twice nobody waits.
        if (answers.length === 0) last = '0';
      } catch (error) {
        // What was asked meanwhile runs into its timeout. It may be another Redis that comes back.
        last = '0';
        if (!this.isClosing())
          await pauseAfter(error, reader, this.options.logger, 'reading answers was refused');
      }
    }
  }

  /** A method, because TypeScript narrows a field and does not notice that it changes during an `await`. */
  private isClosing(): boolean {
    return this.closing;
  }

  private handOver({ i: requestId = '', d: json, e: error }: Record<string, string>): void {
    const waiting = this.waiting.get(requestId);
    if (error !== undefined) waiting?.reject(fromWireError(jsonOrText(error)));
    else waiting?.resolve(json ?? 'null');
  }

  /** Deletes answers that were read, each by its id: where the stream began anew, unread ones may have smaller ids. */
  private forgetRead(ids: readonly string[]): void {
    this.commands.xdel(this.replies, ...ids).catch(() => undefined);
  }
}

function shuttingDown(): AppError {
  return new AppError('unavailable', 'the asking process is shutting down');
}
