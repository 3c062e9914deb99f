import { lockUntilEnd, type Writer } from '@kith/database';

/**
 * Locks what is kept of a person's words to the end of the transaction. An undo may bring back what another order names,
 * and a joke may be kept of a turn that is being forgotten.
 */
export function lockPerson(tx: Writer, personId: string): Promise<void> {
  return lockUntilEnd(tx, `personality:${personId}`);
}
