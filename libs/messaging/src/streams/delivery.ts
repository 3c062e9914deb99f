/** An entry as it was given to this replica. */
export interface Delivery {
  readonly stream: string;
  readonly id: string;
  readonly fields: readonly string[];
  /** 1 for the first time, more after a failure or a replica's death. */
  readonly number: number;
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
  readonly maxDeliveries: number;
}
