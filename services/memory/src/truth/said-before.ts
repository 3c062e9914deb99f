import type { Exchange } from '@kith/contracts';
import type { Database } from '@kith/database';
import { readPrivateTimes } from '../keeping/privacy.service.js';
import { decideWrite } from '../remembering/decide-write.js';
import type { MemoryRow } from '../storage/memory-records.js';

/** A yes the next morning still answers what was asked at night; past that, it is the day's first word. */
const ANSWERED_WITHIN_MS = 24 * 60 * 60 * 1000;

type Said = Pick<MemoryRow, 'id' | 'turnId' | 'saidAt'>;
type Asked = { turnId: string; text: string; at: Date };

/**
 * What the companion had asked the person right before these lines, by the lines' ids. What was asked in private, or
 * in a time that was forgotten, is left out.
 */
export async function readSaidBefore(
  database: Database,
  { personId, companionId }: { personId: string; companionId: string },
  said: readonly Said[],
  exchanges: readonly Exchange[],
): Promise<Map<string, string>> {
  const asked = exchanges.flatMap(({ turnId, before }) =>
    before === null ? [] : { turnId, text: before.text, at: new Date(before.at) },
  );
  if (asked.length === 0) return new Map();
  const isGone = await database.asPerson(personId, async (tx) => {
    const isPrivate = await readPrivateTimes(tx, personId);
    const forgotten = await tx.forgetRecord.findMany({
      where: {
        ...{ personId, AND: { OR: [{ companionId: null }, { companionId }] } },
        OR: [{ everything: true }, { saidFrom: { not: null } }],
      },
    });
    return (when: Date) =>
      isPrivate(when) ||
      forgotten.some(({ everything, at, saidFrom, saidTo }) =>
        everything ? when <= at : saidFrom! <= when && when < saidTo!,
      );
  });
  return questionsBefore(
    said,
    asked.filter(({ at }) => !isGone(at)),
  );
}

/** The first line of each turn with the question that it may answer. Pure. */
export function questionsBefore(said: readonly Said[], asked: readonly Asked[]): Map<string, string> {
  const first = new Map<string, Said>();
  for (const line of said.toSorted((a, b) => a.saidAt.getTime() - b.saidAt.getTime())) {
    if (line.turnId !== null && !first.has(line.turnId)) first.set(line.turnId, line);
  }
  return new Map(
    asked.flatMap(({ turnId, text, at }) => {
      const line = first.get(turnId);
      const isLate = !line || line.saidAt.getTime() - at.getTime() > ANSWERED_WITHIN_MS;
      // What would not be kept of a person must not come in by their yes to it.
      return isLate || !/[?？]/u.test(text) || decideWrite(text, 0).kind === 'quarantine'
        ? []
        : [[line.id, text] as const];
    }),
  );
}
