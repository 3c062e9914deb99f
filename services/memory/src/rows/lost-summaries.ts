import { columnOf, type Reader, type Writer } from '@kith/database';
import type { Pair } from './memory-scope.js';

/** Companion's day with a person, as times. */
interface Day extends Pair {
  from: string;
  to: string;
}

/** Finds the records of changes with which summaries of a day went. To be called before its lines are read. */
export function readLostSummaries(reader: Reader, { personId, companionId, from, to }: Day) {
  return columnOf(reader)`
    SELECT id::text FROM forget_records
    WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND lost_summaries <> '{}'
      AND EXISTS (
        SELECT FROM unnest(lost_summaries) AS at WHERE at >= ${from}::timestamptz AND at < ${to}::timestamptz)`;
}

/** Notes in these records that the summaries of a day are written again. One that went meanwhile has its own record. */
export async function noteSummariesWritten(
  writer: Pick<Writer, '$executeRaw'>,
  ids: readonly string[],
  { from, to }: Pick<Day, 'from' | 'to'>,
): Promise<void> {
  if (ids.length === 0) return;
  await writer.$executeRaw`
    UPDATE forget_records SET lost_summaries = ARRAY(
      SELECT at FROM unnest(lost_summaries) AS at WHERE at < ${from}::timestamptz OR at >= ${to}::timestamptz)
    WHERE id = ANY (${[...ids]}::uuid[])`;
}
