import {
  storable,
  type EventContract,
  type JobContract,
  type PayloadInput,
  type RequestContract,
  type RequestInput,
  type ResponseOutput,
  type TurnJob,
} from '@kith/contracts';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import { closeConnection, openConnection } from './redis/connection.js';
import { correlationIdOrNew } from './correlation.js';
import { DiskScrubber } from './redis/disk-scrubber.js';
import { JobQueues, type JobOptions, type Recurrence } from './jobs/job-queues.js';
import { RecurringJobs } from './jobs/recurring-jobs.js';
import type { Neighbours } from './local/neighbours.js';
import { Parsed } from './local/parsed.js';
import type { MessagingLogger } from './logger.js';
import type { ServiceOptions } from './service-options.js';
import { DEFAULT_KEY_PREFIX } from './streams/keys.js';
import { StreamsClient } from './streams/streams-client.js';
import { jsonOrText, parseOrThrow } from './wire-errors.js';

export interface MessengerOptions extends ServiceOptions {
  /** Time `announce`, `enqueue` and their kin try to reach Redis before they throw `unavailable`. */
  readonly sendWithinMs?: number;
  /** Pause between looks for recurring jobs that are gone. */
  readonly checkSchedulesEveryMs?: number;
}

/** Speaks to services: asks, announces, and gives orders. Every error it throws is an `AppError`. */
export class Messenger {
  private readonly commands: Redis;
  private readonly client: StreamsClient;
  private readonly queues: JobQueues;
  /** Jobs as they stand in Redis: to look at them, to try failed ones again, and to end a recurrence. */
  readonly jobs: Pick<
    JobQueues,
    'counts' | 'knownAmong' | 'listFailed' | 'nextRunOf' | 'queueOf' | 'retryFailed' | 'unschedule'
  >;
  private readonly recurring: RecurringJobs;
  private readonly scrubber: DiskScrubber;
  private readonly sendWithinMs: number;
  private readonly neighbours: Neighbours | undefined;
  private readonly log: MessagingLogger;

  constructor(options: MessengerOptions) {
    const { redisUrl, service, keyPrefix = DEFAULT_KEY_PREFIX, logger: log } = options;
    this.sendWithinMs = options.sendWithinMs ?? 5_000;
    this.neighbours = options.neighbours;
    this.log = log;
    this.commands = openConnection(redisUrl, `${service}-sender`, log);
    this.client = new StreamsClient({ redisUrl, service, keyPrefix, logger: log }, this.commands);
    this.scrubber = new DiskScrubber(this.commands, log);
    this.jobs = this.queues = new JobQueues(this.commands, keyPrefix, this.sendWithinMs);
    this.recurring = new RecurringJobs(this.queues, this.commands, log, options.checkSchedulesEveryMs);
  }

  /**
   * Asks and waits for the answer, at most the contract's time or `timeoutMs`. Throws the other side's
   * `AppError` by code; no answer in time is `unavailable`, and then the work may or may not be done.
   * @param options.ifThere does not wait for a service without a process: the first question to find that out waits
   *   0.2 s, the next ones not at all
   */
  async ask<C extends RequestContract>(
    contract: C,
    request: RequestInput<C>,
    options: { readonly timeoutMs?: number; readonly ifThere?: boolean } = {},
  ): Promise<ResponseOutput<C>> {
    const { timeoutMs = contract.timeoutMs, ifThere } = options;
    const { pattern } = contract;
    const parsed = parseSent(contract.request, request, `the request ${pattern}`);
    const near = this.neighbours?.ask(pattern, new Parsed(parsed), correlationIdOrNew(), timeoutMs);
    if (near) return (await near) as ResponseOutput<C>;
    const json = await this.client.ask(pattern, JSON.stringify(parsed), timeoutMs, ifThere);
    const answer = jsonOrText(json);
    return parseOrThrow(
      contract.response,
      answer,
      'internal',
      `the answer to ${pattern}`,
    ) as ResponseOutput<C>;
  }

  /**
   * Tells of a fact. Once it resolves the event is kept: each service that hears it gets it, also one that is down now.
   * An event that may be lost is told to the services of this process directly, and kept for those that failed.
   */
  async announce<C extends EventContract>(contract: C, payload: PayloadInput<C>): Promise<void> {
    const { pattern } = contract;
    const parsed = parseSent(contract.payload, payload, `the event ${pattern}`);
    if (this.neighbours && contract.mayBeLost) {
      this.neighbours.tell(pattern, new Parsed(parsed), correlationIdOrNew(), (group, error) => {
        this.log.warn({ pattern, group, err: error }, 'an event failed and will be retried');
        this.client
          .announce(pattern, JSON.stringify(parsed), this.sendWithinMs, group)
          .catch((problem: unknown) => this.log.warn({ pattern, group, err: problem }, 'an event was lost'));
      });
      return;
    }
    await this.client.announce(pattern, JSON.stringify(parsed), this.sendWithinMs);
  }

  /** True while another service can be asked: without Redis, only where this process runs others. */
  get canAsk(): boolean {
    return this.neighbours !== undefined || this.canOrder;
  }

  /** True while Redis is there. Without it an order only waits until its time is over. */
  get canOrder(): boolean {
    return this.commands.status === 'ready';
  }

  /**
   * Orders a job, `delayMs` from now at the earliest; of those that wait, the one with the lowest `priority` (from 0,
   * the default) is next. The payload decides the job's id: while a job with that id waits or runs, the order adds
   * nothing; one that failed for good begins anew, unless `keepsFailed` is set.
   */
  async enqueue<C extends JobContract>(contract: C, payload: PayloadInput<C>, options: JobOptions = {}) {
    await this.queues.add(contract, parseJob(contract, payload), options);
  }

  /**
   * Orders a job that somebody orders again if its process dies. Where the service that does it lives in this process,
   * the job is begun at once, and queued only if it fails; anywhere else this is `enqueue`.
   * @returns `ended`, which resolves once the job was done here or is queued
   */
  async handOver<C extends JobContract>(
    contract: C,
    payload: PayloadInput<C>,
  ): Promise<{ ended: Promise<void> }> {
    const parsed = parseJob(contract, payload);
    const job = { payload: new Parsed(parsed), id: contract.idOf(parsed) };
    const queue = () => this.queues.add(contract, parsed);
    const ended = this.neighbours?.handOver(contract.pattern, job, queue);
    if (ended) return { ended };
    await queue();
    return { ended: Promise.resolve() };
  }

  /**
   * Makes a job recur for as long as this process runs, also when Redis is not there yet or loses it; called again
   * with the same payload it replaces the times. It stays in Redis, once, after the process has ended.
   */
  schedule<C extends JobContract>(contract: C, payload: PayloadInput<C>, recurrence: Recurrence): void {
    this.recurring.keep(contract, parseJob(contract, payload), recurrence);
  }

  /** Finds the turns whose own job used up its tries. Reads no job, so it may be asked about hundreds. */
  async deadTurns(contract: TurnJob, turnIds: readonly string[]): Promise<string[]> {
    const failed = await this.queues.failedAmong(
      contract,
      turnIds.map((turnId) => contract.idOf({ turnIds: [turnId] })),
    );
    return turnIds.filter((_, n) => failed[n]);
  }

  /** Has what was deleted in Redis go from its disk too, soon: after something was forgotten, or somebody erased. */
  scrubDisk(): void {
    this.scrubber.order();
  }

  /** Closes the connections to Redis. Questions still open fail as `unavailable`. */
  async close(): Promise<void> {
    this.recurring.close();
    await this.scrubber.close();
    await this.client.close();
    await this.queues.close();
    closeConnection(this.commands);
  }
}

function parseJob<C extends JobContract>(contract: C, payload: PayloadInput<C>): unknown {
  return parseSent(contract.payload, payload, `the job ${contract.pattern}`);
}

/** Parses a payload by its contract, into text that any store can hold: it may be anybody's words. */
function parseSent<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  return storable(parseOrThrow(schema, value, 'invalid_request', what));
}
