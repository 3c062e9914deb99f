/**
 * Redis counts one number per pending entry: its deliveries. We keep two in it: the tries that failed, in steps of
 * sixteen, and below that the deliveries of which nothing was heard again, because their process died.
 */
const FAILED_TRY = 16;

/** Outcome of an entry's earlier deliveries. */
export interface EarlierDeliveries {
  /** Tries whose handler threw, or was left unfinished by a process that closed. */
  readonly failures: number;
  /** Deliveries whose process died, or stood still for so long that the entry was taken over. */
  readonly deaths: number;
}

/** Reads Redis' count of an entry that is pending and not in work. */
export function readDeliveryCount(count: number): EarlierDeliveries {
  return { failures: Math.floor(count / FAILED_TRY), deaths: count % FAILED_TRY };
}

/** The count that says this of an entry. */
export function deliveryCount({ failures, deaths }: EarlierDeliveries): number {
  return failures * FAILED_TRY + deaths;
}

/** An entry as it was given to this replica. */
export interface ClaimedEntry extends EarlierDeliveries {
  readonly stream: string;
  readonly id: string;
  readonly fields: readonly string[];
}

/** Key of an entry among those of several streams. */
export function keyOf({ stream, id }: Pick<ClaimedEntry, 'stream' | 'id'>): string {
  return `${stream} ${id}`;
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
}

/** Number of this delivery: 1 for the first, more after a failure or a death. */
export function numberOf({ failures, deaths }: EarlierDeliveries): number {
  return failures + deaths + 1;
}
