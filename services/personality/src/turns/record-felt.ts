import { feelTurns, type FeltTurn } from '../affect/feel-turns.js';
import type { AffectRecords } from '../store/affect-records.js';
import type { AppraisedTurn } from '../store/save-events.js';

/** Feels turns on top of what is stored and saves the result, each turn once. Notes the skipped ones as handled. */
export function recordFelt(
  records: AffectRecords,
  turns: readonly AppraisedTurn[],
  now: number,
  skipped: readonly { turnId: string; personId: string }[] = [],
): Promise<FeltTurn<AppraisedTurn>[]> {
  return records.record(turns, skipped, now, (isNew, states) => feelTurns(turns, isNew, states, now));
}
