import { decideWrite } from '../remembering/decide-write.js';
import type { MemoryRow } from '../storage/memory-records.js';

/** A yes the next morning still answers what was asked at night; past that, it is the day's first word. */
const ANSWERED_WITHIN_MS = 24 * 60 * 60 * 1000;

type Said = Pick<MemoryRow, 'id' | 'turnId' | 'saidAt'>;
type Asked = { turnId: string; text: string; at: Date };

/** The first line of each turn with what the companion had asked right before it, and it may answer. Pure. */
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
