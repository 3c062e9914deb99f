import { decideWrite } from '../words/decide-write.js';
import { DAY_MS } from '@kith/contracts';
import type { MemoryRow } from '../rows/memory-row.js';

/** Time within which a line answers a question: a yes the next morning answers what was asked at night. */
const ANSWERED_WITHIN_MS = DAY_MS;

type SaidRow = Pick<MemoryRow, 'id' | 'turnId' | 'saidAt'>;
type AskedQuestion = { turnId: string; text: string; at: Date };

/** Finds the question that the first line of each turn may answer: the companion's last one before it. Pure. */
export function questionsBefore(
  said: readonly SaidRow[],
  asked: readonly AskedQuestion[],
): Map<string, string> {
  const first = new Map<string, SaidRow>();
  for (const line of said.toSorted((a, b) => a.saidAt.getTime() - b.saidAt.getTime())) {
    if (line.turnId !== null && !first.has(line.turnId)) first.set(line.turnId, line);
  }
  return new Map(
    asked.flatMap(({ turnId, text, at }) => {
      const line = first.get(turnId);
      const isLate = !line || line.saidAt.getTime() - at.getTime() > ANSWERED_WITHIN_MS;
      // A question must not store through a yes what would not be stored if the person said it.
      return isLate || !/[?？]/u.test(text) || decideWrite(text, 0).kind === 'quarantine'
        ? []
        : [[line.id, text] as const];
    }),
  );
}
