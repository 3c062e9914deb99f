import type { ForgetRecordModel } from '@kith/database';

/** A time of which a person had everything forgotten, and when they ordered that. */
export type ForgottenTime = Pick<ForgetRecordModel, 'saidFrom' | 'saidTo' | 'at'>;

/**
 * Tells whether a moment is forgotten by an order. The order's time may reach into the future, but nobody has
 * forgotten what was not said yet.
 */
export function isForgotten({ saidFrom, saidTo, at }: ForgottenTime, when: Date): boolean {
  return saidFrom !== null && saidTo !== null && saidFrom <= when && when < saidTo && when <= at;
}
