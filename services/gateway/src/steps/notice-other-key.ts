import type { Database } from '@kith/database';
import type { DegradedStates } from '@kith/service-host';
import { placeOf, type ThoughtCipher } from './thought-cipher.js';

/**
 * Tells operators where the last kept thought can not be opened: the key was lost, mistyped, or left on another machine.
 * A key that was replaced on purpose has encrypted a thought of its own by the next start.
 */
export async function noticeOtherKey(
  database: Database,
  cipher: ThoughtCipher,
  states: Pick<DegradedStates, 'enter'>,
): Promise<void> {
  const [last] = await database.reader('system').$queryRaw<
    { turnId: string; number: number; sealed: string }[]
  >`
    SELECT turn_id AS "turnId", number, sealed FROM turn_steps WHERE sealed IS NOT NULL ORDER BY at DESC LIMIT 1`;
  if (!last || cipher.decrypt(placeOf(last.turnId, last.number), last.sealed) !== null) return;
  const effect = 'thoughts of before can not be read, and what erased people wrote before may be taken again';
  states.enter({ part: 'thoughts-key', effect });
}
