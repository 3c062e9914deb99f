import { sql, toJsonb, type Sql, type Tx } from '@kith/database';
import { type ChangeOfZone, sameLocalTime } from '../decision/same-local-time.js';

interface NamedReason {
  id: string;
  turnId: string | null;
  dueAt: Date;
  exact: boolean;
  status: string;
}

/**
 * Moves reasons with a named time to the same day and hour of another time zone, also those that were decided on, which
 * are open again where their message fails, dropped ones, which stay so where their turn is read again, and forgotten
 * ones, which an undo restores.
 */
export async function moveByClock(tx: Tx, personId: string, zones: ChangeOfZone): Promise<void> {
  const named: NamedReason[] = await tx.intention.findMany({
    where: { personId, byClock: true },
    select: { id: true, turnId: true, dueAt: true, exact: true, status: true },
  });
  const movedTo = ({ dueAt, exact, status }: Omit<NamedReason, 'id' | 'turnId'>) =>
    // One that was said, right before its hour, does not take the place of the next day's.
    sameLocalTime({ dueAt, exact: exact && status !== 'done' }, zones);
  await moveReasons(
    tx,
    personId,
    named.map((one) => ({ ...one, at: movedTo(one) })),
  );
  // Where its words are read again, it is not known by its time alone, also once it is dropped.
  await tx.intention.updateMany({ where: { personId, byClock: true }, data: { moved: true } });
  await moveSealed(tx, personId, movedTo);
}

/**
 * Moves reasons to these times. Of reasons of one turn with the same words that then have the same time, one is kept: an
 * open one first, and a dropped one last.
 */
export async function moveReasons(
  tx: Tx,
  personId: string,
  to: readonly { id: string; turnId: string | null; at: Date }[],
): Promise<void> {
  const moved = toJsonb(to);
  const plan = sql`jsonb_to_recordset(${moved}::jsonb) AS moved (id uuid, "turnId" uuid, at timestamptz)`;
  await tx.$executeRaw`
    WITH plan AS (SELECT * FROM ${plan}), after AS (
      SELECT id, turn_id, about, status, coalesce(plan.at, due_at) AS at
      FROM intentions LEFT JOIN plan USING (id) WHERE person_id = ${personId}::uuid)
    DELETE FROM intentions AS one USING after, after AS other
    WHERE one.id = after.id AND other.turn_id = after.turn_id AND other.about = after.about AND other.at = after.at
      AND (other.status <> 'open', other.status, other.id) < (after.status <> 'open', after.status, after.id)`;
  const update = (set: Sql) =>
    tx.$executeRaw`
      UPDATE intentions SET ${set} FROM ${plan} WHERE intentions.id = moved.id AND person_id = ${personId}::uuid`;
  // The unique index is checked row by row, so a row could clash with one that has yet to move: all leave their turn first.
  await update(sql`turn_id = NULL`);
  await update(sql`turn_id = "turnId", due_at = moved.at`);
}

/** Moves forgotten reasons. Those that several orders forgot stay the same in each. */
async function moveSealed(
  tx: Tx,
  personId: string,
  movedTo: (reason: Omit<NamedReason, 'id' | 'turnId'>) => Date,
): Promise<void> {
  const sealed = await tx.$queryRaw<(Omit<NamedReason, 'turnId' | 'id'> & { id: bigint })[]>`
    SELECT id, (row ->> 'due_at')::timestamptz AS "dueAt", (row -> 'exact')::boolean AS exact, row ->> 'status' AS status
    FROM outreach_sealed_rows
    WHERE person_id = ${personId}::uuid AND relation = 'intentions' AND (row -> 'by_clock')::boolean`;
  const moved = toJsonb(sealed.map((one) => ({ id: String(one.id), at: movedTo(one) })));
  await tx.$executeRaw`
    UPDATE outreach_sealed_rows AS sealed SET row = row || jsonb_build_object('due_at', moved.at, 'moved', true)
    FROM jsonb_to_recordset(${moved}::jsonb) AS moved (id bigint, at timestamptz)
    WHERE sealed.id = moved.id AND sealed.person_id = ${personId}::uuid`;
}
