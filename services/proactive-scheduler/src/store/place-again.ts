import { AppError } from '@kith/contracts';
import { rawSql, type Tx } from '@kith/database';
import { pairReadings, type StoredReading } from '../decision/pair-readings.js';
import { placedTime } from '../decision/placed-time.js';
import { moveReasons } from './move-by-clock.js';
import type { NoticedTurn } from './noticed-reasons.js';
import { lockSettings } from './stored-settings.js';

/** Matches open reasons, named `one`, of words that are to be read in another time zone than they were. */
export const IS_UNPLACED = rawSql(`NOT one.zone_named AND one.turn_id IS NOT NULL AND one.status = 'open'`);

/** Has a person's reasons placed again, also what an undo brings back: they were read in a zone that nobody named. */
export async function unplace(tx: Tx, personId: string): Promise<void> {
  await tx.intention.updateMany({ where: { personId }, data: { placed: false } });
  await tx.$executeRaw`
    UPDATE outreach_sealed_rows SET row = row || '{"zone_named": false}'
    WHERE person_id = ${personId}::uuid AND relation = 'intentions'`;
}

/**
 * Places the reasons of turns again, as they are read in the time zone that their person has since. A reason that is not
 * read again keeps its time.
 * @throws AppError `unavailable` where the zone has changed since the turns were read
 */
export async function placeAgain(
  tx: Tx,
  personId: string,
  turnIds: readonly string[],
  read: readonly NoticedTurn[],
): Promise<void> {
  await lockSettings(tx, personId);
  const settings = await tx.outreachSetting.findUnique({ where: { personId } });
  // Erased meanwhile.
  if (settings === null) return;
  if (read.some(({ timeZone }) => timeZone !== settings.timeZone))
    throw new AppError('unavailable', `the time zone of person ${personId} changed while they were read`);
  const rows = await tx.intention.findMany({ where: { personId, turnId: { in: [...turnIds] } } });
  const stored = rows.map((row) => ({ ...row, kind: row.kind as StoredReading['kind'] }));
  const moved = read.flatMap(({ turn, noticed, timeZone }) => {
    const its = stored.filter(({ turnId }) => turnId === turn.turnId);
    return [...pairReadings(its, noticed, timeZone)]
      .filter(([, { status, placed }]) => status === 'open' && !placed)
      .map(([reading, one]) => ({ ...one, at: placedTime(one, reading, timeZone) }));
  });
  await moveReasons(tx, personId, moved);
  await tx.intention.updateMany({
    where: { personId, turnId: { in: [...turnIds] } },
    data: { placed: true },
  });
}
