import type { EarlierDeliveries } from './delivery-count.js';

/** An entry as it was given to this replica. */
export interface Delivery extends EarlierDeliveries {
  readonly stream: string;
  readonly id: string;
  readonly fields: readonly string[];
}

export interface ConsumerSettings {
  readonly streams: readonly string[];
  readonly group: string;
  readonly consumer: string;
  readonly concurrency: number;
  /** An entry untouched for so long is taken over. */
  readonly claimIdleMs: number;
  /** A consumer unseen for so long, with nothing pending, is struck off. */
  readonly forgetConsumerAfterMs: number;
  /** Tries, failed ones and deaths together, before an entry is given up. */
  readonly maxDeliveries: number;
  /** Deaths before an entry is given up. */
  readonly maxDeaths: number;
}

/** Number of this delivery: 1 for the first, more after a failure or a death. */
export function numberOf({ failures, deaths }: EarlierDeliveries): number {
  return failures + deaths + 1;
}
