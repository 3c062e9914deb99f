import { HOUR_MS } from '@kith/contracts';
import type { ServiceOptions } from '../service-options.js';

/** One handled request or event, for metrics. */
export interface HandledEntry {
  readonly kind: 'request' | 'event';
  readonly pattern: string;
  /** `expired`: nobody waited for the answer any more. `dead`: it had ended its process too often. Both were not run. */
  readonly outcome: 'ok' | 'error' | 'expired' | 'dead';
  readonly tookMs: number;
}

export interface StreamsServerOptions extends Omit<ServiceOptions, 'service'> {
  /** The service's name: its replicas share each request and each event. */
  readonly group: string;
  /** Called after each; must not throw. */
  readonly observe?: (handled: HandledEntry) => void;
  /** Requests in work at a time, and again as many events. */
  readonly concurrency?: number;
  /** After so long without a sign of life an entry is taken over; also the wait before a failed event's next try. */
  readonly claimIdleMs?: number;
  /** Tries before an event becomes a dead letter. */
  readonly maxDeliveries?: number;
  readonly forgetConsumerAfterMs?: number;
  /** Pause between an acknowledgement and the removal of events that all have heard. */
  readonly trimAfterMs?: number;
  /** Time `close` waits for messages in work. */
  readonly drainMs?: number;
}

export const SERVER_DEFAULTS = {
  concurrency: 64,
  // A killed replica's work is with another one within 10 s and a quarter.
  claimIdleMs: 10_000,
  maxDeliveries: 5,
  forgetConsumerAfterMs: HOUR_MS,
  trimAfterMs: 30_000,
  // A request's asker has given up by then.
  drainMs: 5_000,
};
