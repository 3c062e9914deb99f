import { withinTime } from '@kith/contracts';
import { withCorrelationId } from '../correlation.js';
import { fromWireError, lateAnswer, toWireError } from '../wire-errors.js';
import type { Parsed } from './parsed.js';

/** A handler of a request or an event, as the services of its own process call it. */
type Handler = (payload: Parsed) => Promise<unknown>;

interface Job {
  readonly payload: Parsed;
  readonly id: string;
}

/**
 * Takes a job if there is room for it.
 * @param orElse queues it instead: called when the job fails
 * @returns its end, done or queued, which never fails; null when it was not taken
 */
export type TakeJob = (job: Job, orElse: () => Promise<void>) => Promise<void> | null;

type Listener = (payload: unknown) => void;

/**
 * Connects the services of one process by function calls instead of messages over Redis. Each service adds its handlers
 * when it begins to listen and removes them when it stops; what has no handler here goes over Redis. Errors, deadlines
 * and correlation ids are the same either way.
 */
export class Neighbours {
  private readonly answerers = new Map<string, Handler>();
  private readonly hearers = new Map<string, Set<{ group: string; hear: Handler }>>();
  private readonly workers = new Map<string, TakeJob>();
  private readonly listeners = new Map<string, Set<Listener>>();

  /** Adds the handler of a request. Returns a function that removes it. */
  addAnswerer(pattern: string, answer: Handler): () => void {
    this.answerers.set(pattern, answer);
    return () => this.answerers.delete(pattern);
  }

  /** Adds a service that hears an event. Returns a function that removes it. */
  addHearer(pattern: string, group: string, hear: Handler): () => void {
    const hearer = { group, hear };
    const hearers = this.hearers.get(pattern) ?? new Set();
    this.hearers.set(pattern, hearers.add(hearer));
    return () => hearers.delete(hearer);
  }

  /** Adds the service that does a job. Returns a function that removes it. */
  addWorker(pattern: string, take: TakeJob): () => void {
    this.workers.set(pattern, take);
    return () => this.workers.delete(pattern);
  }

  /** Asks a service of this process; null when none here answers that. Throws as `Messenger.ask` does. */
  ask(pattern: string, request: Parsed, correlationId: string, timeoutMs: number): Promise<unknown> | null {
    const answer = this.answerers.get(pattern);
    if (!answer) return null;
    const answered = withCorrelationId(correlationId, () => answer(request)).catch((error: unknown) => {
      throw fromWireError(toWireError(error));
    });
    return withinTime(answered, timeoutMs, () => lateAnswer(pattern, timeoutMs));
  }

  /** Delivers an event to the services of this process, each by itself. `onFailure` hears of those that failed. */
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

  /** Hands a job to its service, and returns its end; null when the service is not here, or has no room. */
  handOver(pattern: string, job: Job, orElse: () => Promise<void>): Promise<void> | null {
    return this.workers.get(pattern)?.(job, orElse) ?? null;
  }

  /** Calls the channel's listeners soon after. What one of them throws goes to `onFailure`. */
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

  /** Listens to a channel. Returns a function that stops it. */
  subscribe(channel: string, listener: Listener): () => void {
    const listeners = this.listeners.get(channel) ?? new Set();
    this.listeners.set(channel, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.listeners.get(channel) === listeners) this.listeners.delete(channel);
    };
  }
}
