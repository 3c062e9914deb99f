import { AppError, type ReadTurn } from '@kith/contracts';
import { sql, toJsonb, uuid7, type Tx, type Writer } from '@kith/database';
import { decideUnsaid, isSameReason } from '../decision/decide-unsaid.js';
import { pairReadings, type StoredReading } from '../decision/pair-readings.js';
import { planNoticed, type StoredReason, type SentBefore } from '../decision/plan-noticed.js';
import type { NoticedReason } from '../reasons/notice-reasons.js';
import { divideRequests, leaveToOthers, TURN_SOURCE } from './said-elsewhere.js';

export type EndedTurn = Pick<
  ReadTurn,
  'turnId' | 'personId' | 'companionId' | 'audience' | 'origin' | 'outcome'
> &
  Pick<ReadTurn, 'attemptId' | 'reason'> & { endedAt: Date };

/** An ended turn with the reasons it gave, as read on a clock of this time zone. */
export interface NoticedTurn {
  turn: EndedTurn;
  noticed: readonly NoticedReason[];
  timeZone: string;
  /** When the person asked not to be written to any more. */
  silencedAt?: Date | null;
}

/**
 * Stores the new reasons of a turn, with the time of its end. A request that is open already gets this turn as one more
 * source, and stays open as long as one of its turns contains it. Returns the number of new ones.
 * @param within runs statements in the scope of the turn's person, whose settings it has locked
 * @throws AppError `unavailable` where the person's time zone has changed since the turn was read
 */
export async function keepNoticed(
  within: <T>(give: (tx: Writer) => Promise<T>) => Promise<T>,
  { turn, noticed, timeZone }: NoticedTurn,
  now: Date,
): Promise<number> {
  if (noticed.length === 0) return 0;
  const { turnId, personId, companionId, audience, endedAt } = turn;
  const source = `${TURN_SOURCE}${turnId}`;
  const [stored, sent, [settings]] = await within((tx) =>
    Promise.all([
      tx.$queryRaw<StoredReason[]>`
        SELECT id, turn_id AS "turnId", companion_id AS "companionId", audience, kind, about, due_at AS "dueAt", yearly,
          created_at AS "saidAt", status
        FROM intentions
        WHERE person_id = ${personId}::uuid AND (status = 'open' OR status = 'dropped' AND ${source} = ANY (sources))
        ORDER BY id FOR UPDATE`,
      tx.$queryRaw<SentBefore[]>`
        SELECT kind, decided_at AS "decidedAt" FROM outreach_attempts
        WHERE person_id = ${personId}::uuid AND status = 'sent' AND ${source} = ANY (sources)`,
      tx.$queryRaw<{ timeZone: string }[]>`
        SELECT time_zone AS "timeZone" FROM outreach_settings WHERE person_id = ${personId}::uuid`,
    ]),
  );
  // Whoever changed it has moved what was stored by then.
  if (settings && settings.timeZone !== timeZone)
    throw new AppError('unavailable', `the time zone changed while turn ${turnId} was read`);
  const { created, corrected, repeated } = planNoticed(
    noticed,
    turn,
    { stored, sent },
    { now, timeZone, newId: uuid7 },
  );
  const kept = await within(
    (tx) => tx.$queryRaw<{ id: string }[]>`
    WITH kept AS (
      INSERT INTO intentions
        (id, turn_id, person_id, companion_id, audience, sources, kind, asked, about, due_at, exact, by_clock, zone_named,
          yearly, leap_day, status, corrected_by, created_at)
      SELECT id, ${turnId}::uuid, ${personId}::uuid, ${companionId}, ${audience}, ${[source]}::text[], kind,
        asked, about, "dueAt", exact, "byClock", true, yearly, "leapDay",
        CASE WHEN "correctedBy" IS NULL THEN 'open' ELSE 'dropped' END, "correctedBy", ${endedAt}::timestamptz
      FROM jsonb_to_recordset(${toJsonb(created)}::jsonb)
        AS reason (
          id uuid, kind text, asked boolean, about text, "dueAt" timestamptz, exact boolean, "byClock" boolean,
          yearly boolean, "leapDay" boolean, "correctedBy" uuid)
      ON CONFLICT DO NOTHING RETURNING id
    ), corrected AS (
      UPDATE intentions AS one SET status = 'dropped', corrected_by = correction.by
      FROM jsonb_to_recordset(${toJsonb(corrected)}::jsonb) AS correction (id uuid, by uuid)
      WHERE one.id = correction.id AND correction.by IN (SELECT id FROM kept)
    ), said_again AS (
      UPDATE intentions SET sources = array_append(sources, ${source}), asked = true
      WHERE id = ANY (${repeated}::uuid[]) AND ${source} <> ALL (sources)
    )
    SELECT id FROM kept`,
  );
  return kept.length;
}

/**
 * Gives what was read again of a turn the times of the reasons that it gave before, which have moved with each change of
 * the time zone.
 * @param outdated reasons that its former words gave: new ones of the present words keep their own time
 */
export async function withStoredTimes(
  tx: Tx,
  { turn: { turnId, personId }, noticed, timeZone }: NoticedTurn,
  outdated: readonly NoticedReason[],
): Promise<Record<'noticed' | 'outdated', readonly NoticedReason[]>> {
  const stored = await tx.$queryRaw<StoredReading[]>`
    SELECT kind, about, due_at AS "dueAt", yearly, status, moved FROM intentions
    WHERE person_id = ${personId}::uuid AND turn_id IS NOT NULL AND ${`${TURN_SOURCE}${turnId}`} = ANY (sources)`;
  const pairs = [...pairReadings(stored, outdated.length > 0 ? outdated : noticed, timeZone)];
  const timed = (reading: NoticedReason) => {
    const its = pairs.find(([one]) => isSameReason(one, reading))?.[1];
    return its ? { ...reading, dueAt: its.dueAt } : reading;
  };
  return { noticed: noticed.map(timed), outdated: outdated.map(timed) };
}

/**
 * Deletes open and dropped reasons that a turn no longer gives, unless another turn gives them, too, and those that were
 * dropped for a correction that is gone: given again, they are new.
 */
export async function unsay(
  tx: Tx,
  { turnId, personId }: EndedTurn,
  given: { noticed: readonly NoticedReason[]; outdated: readonly NoticedReason[] },
): Promise<void> {
  const source = `${TURN_SOURCE}${turnId}`;
  // A correction that an undo may restore still holds.
  await tx.$executeRaw`
    DELETE FROM intentions AS one
    WHERE person_id = ${personId}::uuid AND status = 'dropped' AND ${source} = ANY (sources)
      AND corrected_by IS NOT NULL AND NOT EXISTS (SELECT FROM intentions WHERE id = one.corrected_by)
      AND NOT EXISTS (
        SELECT FROM outreach_sealed_rows
        WHERE person_id = ${personId}::uuid AND relation = 'intentions' AND row ->> 'id' = one.corrected_by::text)`;
  const status = { in: ['open', 'dropped'] };
  const where = { personId, status, turnId: { not: null }, sources: { has: source } };
  for (const row of await tx.intention.findMany({ where })) {
    const { id } = row;
    const decision = decideUnsaid(row, row.turnId === turnId, given);
    if (decision.kind === 'change') {
      // Other turns that give it ask for it.
      const asked = decision.asked || row.sources.length > 1;
      await tx.intention.update({ where: { id }, data: { kind: decision.to, asked } });
    }
    if (decision.kind !== 'unsay') continue;
    const divided = await divideRequests(tx, sql`id = ${id}::uuid`, (one) => one === source);
    const left = await leaveToOthers(
      tx,
      divided.flatMap((one) => one.left ?? []),
    );
    if (left.length === 0) await tx.intention.delete({ where: { id } });
  }
}
