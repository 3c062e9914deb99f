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

/** The count of an entry whose current delivery failed. */
export function countOneFailureMore({ failures, deaths }: EarlierDeliveries): number {
  return (failures + 1) * FAILED_TRY + deaths;
}
