import { AppError } from '@kith/contracts';
import { rawSql, type Tx } from '@kith/database';
import { pairReadings, type StoredReading } from '../decision/pair-readings.js';
import { placedTime } from '../decision/placed-time.js';
import { moveReasons } from './move-by-clock.js';
import type { NoticedTurn } from './noticed-reasons.js';
import { lockSettings } from './stored-settings.js';

/** Matches open reasons, named `one`, with a time that was named before the person named a time zone. */
export const IS_UNPLACED = rawSql(`NOT one.zone_named AND one.by_clock AND one.status = 'open'`);

/**
 * Places the reasons of turns again, as they are read in the time zone that their person has named since. A reason that
 * is not read again keeps its time.
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
      .filter(([, { status, byClock, zoneNamed }]) => status === 'open' && byClock && !zoneNamed)
      .map(([reading, one]) => ({ ...one, at: placedTime(one, reading, timeZone) }));
  });
  await moveReasons(tx, personId, moved);
  await tx.intention.updateMany({
    where: { personId, turnId: { in: [...turnIds] } },
    data: { zoneNamed: true },
  });
}
