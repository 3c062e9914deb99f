import type { MemoryRequest, MemoryAnswer } from '@kith/contracts';
import { columnOf, type Database } from '@kith/database';
import { oneByOne } from '@kith/messaging';
import { forGood } from './forget-request.js';
import type { Forgetter } from './forgetter.js';

/** Forgets everything said to one audience, such as a channel that the companion has left; a preview finds its messages. */
export async function forgetPlace(
  database: Database,
  forgetting: Pick<Forgetter, 'forget'>,
  { audience, said, preview }: MemoryRequest<'forgetPlace'>,
): Promise<MemoryAnswer<'forgetPlace'>> {
  // Of sealed rows, too: an undo would bring back those that people forgot themselves.
  const known = await columnOf(database.reader('system'))`
    SELECT person_id::text FROM memories WHERE audience = ${audience}
    UNION SELECT person_id::text FROM core_blocks WHERE audience = ${audience}
    UNION SELECT person_id::text FROM tasks WHERE audience = ${audience}
    UNION SELECT person_id::text FROM memory_sealed_rows WHERE row ->> 'audience' = ${audience}`;
  const people = [...new Set([...known, ...said.map(({ personId }) => personId)])];
  const saidBy = new Map(said.map(({ personId, messageIds }) => [personId, messageIds]));
  const told = new Set<string>();
  await oneByOne(people, async (personId) => {
    const order = forGood(personId, { kind: 'place', audience });
    // Messages that are not stored yet are named, too, so that a late job does not store them.
    const unread = saidBy.get(personId) ?? [];
    const { sources } = await forgetting.forget({ ...order, unread, preview });
    for (const source of sources) told.add(source);
  });
  return { sources: [...told] };
}
