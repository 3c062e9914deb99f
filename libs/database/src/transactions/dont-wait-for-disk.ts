import type { Writer } from './transaction.js';

/**
 * Lets a transaction's commit return before it is on the disk: for what a crash may lose whole, as it is done again
 * (decision 0027). It leaves with the statements that are given next, and is answered before them.
 */
export function dontWaitForDisk(tx: Writer): void {
  tx.$queryRaw`SELECT set_config('synchronous_commit', 'off', true)`.catch(() => undefined);
}
