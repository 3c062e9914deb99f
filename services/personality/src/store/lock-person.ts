import { lockUntilEnd, type Writer } from '@kith/database';

/**
 * Locks what is kept of a person's words to the end of the transaction. An undo may bring back what another order names,
 * and a joke may be kept of a turn that is being forgotten.
 */
export function lockPerson(tx: Writer, personId: string): Promise<void> {
  return lockUntilEnd(tx, nameOf(personId));
}

/** Locks what is kept of several people's words, in one order for all who do so. */
export async function lockPeople(tx: Writer, people: readonly { personId: string }[]): Promise<void> {
  const ids = [...new Set(people.map(({ personId }) => personId))].toSorted();
  await lockUntilEnd(tx, ...ids.map(nameOf));
}

function nameOf(personId: string): string {
  return `personality:${personId}`;
}
