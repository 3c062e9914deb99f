import { present, type Privacy, type MemoryRequest, type MemoryAnswer } from '@kith/contracts';
import { readOfEach, type Database } from '@kith/database';
import { forgottenAmong, whyNotNoted } from '../rows/late-notes.js';
import { readPrivateTimes } from '../rows/private-times.js';
import { lockPerson } from '../rows/memory-row.js';

/** Tells whether a person is remembered, after changing that where it is asked for. */
export function setPrivacy(
  database: Database,
  { personId, private: wanted }: MemoryRequest<'privacy'>,
): Promise<Privacy> {
  return database.asPerson(personId, async (tx) => {
    await lockPerson(tx, personId);
    const open = await tx.privateTime.findFirst({ where: { personId, until: null } });
    if (wanted === true && !open) {
      const { since } = await tx.privateTime.create({ data: { personId } });
      return { private: true, since: since.toISOString() };
    }
    if (wanted === false && open) {
      await tx.privateTime.updateMany({ where: { personId, until: null }, data: { until: new Date() } });
      return { private: false, since: null };
    }
    return { private: open !== null, since: open?.since.toISOString() ?? null };
  });
}

/** Tells why a companion may not note something of a person's now, and which of its sources were never forgotten. */
export function tellWhyNotNoted(
  database: Database,
  note: MemoryRequest<'whyNotNoted'>,
): Promise<MemoryAnswer<'whyNotNoted'>> {
  return database.read({ personId: note.personId }, async (reader) => {
    const why = await whyNotNoted(reader, note);
    const forgotten = await forgottenAmong(reader, note, note.sources);
    return { why, sources: note.sources.filter((source) => !forgotten.has(source)) };
  });
}

/** Tells of each turn whether one of its moments was private. */
export async function werePrivate(
  database: Database,
  { turns }: MemoryRequest<'wasPrivate'>,
): Promise<boolean[]> {
  const privates = await readOfEach(database, turns, (reader, { personId }) =>
    readPrivateTimes(reader, personId),
  );
  return privates.map((isPrivate, n) => present(turns[n]).at.some((time) => isPrivate(new Date(time))));
}
