import { AppError } from '@kith/contracts';
import { withCorrelationId } from '../correlation.js';
import { fromWireError, toWireError } from '../wire-errors.js';
import type { Parsed } from './parsed.js';

/** A handler of a request or an event, as the services of its own process call it. */
type Handler = (payload: Parsed) => Promise<unknown>;

/** One service that hears an event. */
interface Hearer {
  /** The service's name. */
  readonly group: string;
  readonly hear: Handler;
}

/**
 * Takes a job if there is room for it.
 * @param orElse queues it instead: called when the job fails
 * @returns false when it was not taken
 */
export type TakeJob = (job: { payload: Parsed; id: string }, orElse: () => Promise<void>) => boolean;

type Listener = (payload: unknown) => void;

/**
 * The services that live in one process, as they reach each other: a call of a function instead of a way over Redis.
 * Each service enters what it handles when it begins to listen and takes it out when it stops; what is not entered here
 * goes over Redis. Errors, deadlines and correlation ids are those of the way over Redis.
 */
export class Neighbours {
  private readonly answerers = new Map<string, Handler>();
  private readonly hearers = new Map<string, Set<Hearer>>();
  private readonly workers = new Map<string, TakeJob>();
  private readonly listeners = new Map<string, Set<Listener>>();

  /** Enters who answers a request. Returns how to take it out again. */
  addAnswerer(pattern: string, answer: Handler): () => void {
    this.answerers.set(pattern, answer);
    return () => this.answerers.delete(pattern);
  }

  /** Enters a service that hears an event. Returns how to take it out again. */
  addHearer(pattern: string, group: string, hear: Handler): () => void {
    const hearer = { group, hear };
    const hearers = this.hearers.get(pattern) ?? new Set();
    this.hearers.set(pattern, hearers.add(hearer));
    return () => hearers.delete(hearer);
  }

  /** Enters who does a job. Returns how to take it out again. */
  addWorker(pattern: string, take: TakeJob): () => void {
    this.workers.set(pattern, take);
    return () => this.workers.delete(pattern);
  }

  /** Asks a service of this process; null when none here answers that. Throws as `Messenger.ask` does. */
  ask(pattern: string, request: Parsed, correlationId: string, timeoutMs: number): Promise<unknown> | null {
    const answer = this.answerers.get(pattern);
    if (!answer) return null;
    return withinTime(
      withCorrelationId(correlationId, () => answer(request)).catch((error: unknown) => {
        throw fromWireError(toWireError(error));
      }),
      pattern,
      timeoutMs,
    );
  }

  /** Tells the services of this process of an event, each by itself. `onFailure` hears of those that failed. */
  tell(
    pattern: string,
    event: Parsed,
    correlationId: string,
    onFailure: (group: string, error: unknown) => void,
  ): void {
    for (const { group, hear } of this.hearers.get(pattern) ?? [])
      void withCorrelationId(correlationId, () => hear(event)).catch((error: unknown) =>
        onFailure(group, error),
      );
  }

  /** Hands a job to its service; false when it is not here, or has no room. */
  handOver(pattern: string, job: { payload: Parsed; id: string }, orElse: () => Promise<void>): boolean {
    return this.workers.get(pattern)?.(job, orElse) ?? false;
  }

  /** Calls whoever listens to this channel, soon. One listener's failure is `onFailure`'s to tell. */
  publish(channel: string, payload: unknown, onFailure: (error: unknown) => void): void {
    const listeners = this.listeners.get(channel);
    if (!listeners) return;
    queueMicrotask(() => {
      for (const listener of listeners) {
        try {
          listener(payload);
        } catch (error) {
          onFailure(error);
        }
      }
    });
  }

  /** Listens to a channel. Returns how to stop. */
  subscribe(channel: string, listener: Listener): () => void {
    const listeners = this.listeners.get(channel) ?? new Set();
    this.listeners.set(channel, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.listeners.get(channel) === listeners) this.listeners.delete(channel);
    };
  }
}

async function withinTime(answer: Promise<unknown>, pattern: string, timeoutMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new AppError('unavailable', `${pattern} did not answer within ${timeoutMs} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
