import { HOUR_MS } from '@kith/contracts';

/** First wait, too short for anybody to notice; doubled with each try. */
const FIRST_WAIT_MS = 250;
// Once the gateway is back, nobody should wait much longer for it to be noticed.
const MAX_WAIT_MS = 4_000;

/** Pause before try `attempt` + 1 (from 0) of handing a message over, in milliseconds. */
export function handOverWaitMs(attempt: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempt, 10), MAX_WAIT_MS);
}

/** First pause of a message that is set aside. It met a bug for two minutes: the next try is not pressing. */
const FIRST_ASIDE_WAIT_MS = 60_000;
// Each try may crash the gateway, but after a fix an operator should not wait much longer than this.
const MAX_ASIDE_WAIT_MS = HOUR_MS;

/** Pause before try `attempt` + 1 (from 0) of handing over a message that is set aside, in milliseconds. */
export function asideWaitMs(attempt: number): number {
  return Math.min(FIRST_ASIDE_WAIT_MS * 2 ** Math.min(attempt, 10), MAX_ASIDE_WAIT_MS);
}
