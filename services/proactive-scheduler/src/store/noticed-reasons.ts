import type { ReadTurn } from '@kith/contracts';
import { sql, toJsonb, uuid7, type Tx, type Writer } from '@kith/database';
import { chooseUnsent, type SentBefore } from '../decision/choose-unsent.js';
import { isKnown, type OpenReason } from '../decision/is-known.js';
import { isCorrected } from '../reasons/is-corrected.js';
import type { NoticedReason } from '../reasons/notice-reasons.js';
import { findSaidElsewhere, leaveToOthers, TURN_SOURCE } from './said-elsewhere.js';

/** A turn in which a reason was noticed. */
export type ToldIn = Pick<ReadTurn, 'turnId' | 'personId' | 'companionId' | 'audience'>;

// More open reasons than this is someone trying it out, and each would be a message one day.
export const MAX_OPEN_INTENTIONS = 30;

/**
 * Keeps the reasons of a turn that were not written for yet, as far as there is room. A request that is open already has
 * this turn as one more source, and stands as long as one of them does. Returns how many were new.
 * @param within runs statements in the scope of the turn's person
 */
export async function keepNoticed(
  within: <T>(give: (tx: Writer) => Promise<T>) => Promise<T>,
  turn: ToldIn,
  noticed: readonly NoticedReason[],
  now: Date,
): Promise<number> {
  if (noticed.length === 0) return 0;
  const { turnId, personId, companionId, audience } = turn;
  const source = `${TURN_SOURCE}${turnId}`;
  const [open, sent, [settings]] = await within((tx) =>
    Promise.all([
      tx.$queryRaw<(OpenReason & { id: string })[]>`
        SELECT id, turn_id AS "turnId", companion_id AS "companionId", audience, kind, about, due_at AS "dueAt"
        FROM intentions WHERE person_id = ${personId}::uuid AND status = 'open' ORDER BY id FOR UPDATE`,
      tx.$queryRaw<SentBefore[]>`
        SELECT kind, decided_at AS "decidedAt" FROM outreach_attempts
        WHERE person_id = ${personId}::uuid AND status = 'sent' AND ${source} = ANY (sources)`,
      tx.$queryRaw<{ timeZone: string }[]>`
        SELECT time_zone AS "timeZone" FROM outreach_settings WHERE person_id = ${personId}::uuid`,
    ]),
  );
  const timeZone = settings?.timeZone ?? 'utc';
  const given = chooseUnsent(noticed, sent, { now, timeZone }).map((reason) => {
    const isItsOwn = (one: OpenReason) =>
      isKnown({ ...reason, turnId, companionId, audience }, [one], timeZone);
    return { reason, known: open.find(isItsOwn) };
  });
  const again = given.flatMap(({ reason, known }) => (reason.asked && known ? [known.id] : []));
  const rows = given
    .flatMap(({ reason, known }) => (known ? [] : [{ id: uuid7(), ...reason }]))
    .slice(0, Math.max(0, MAX_OPEN_INTENTIONS - open.length));
  const corrected = rows.flatMap((row) =>
    open.filter((one) => isCorrected(one, row)).map(({ id }) => ({ id, by: row.id })),
  );
  const kept = await within(
    (tx) => tx.$queryRaw<{ id: string }[]>`
    WITH kept AS (
      INSERT INTO intentions
        (id, turn_id, person_id, companion_id, audience, sources, kind, about, due_at, exact, by_clock, yearly, leap_day)
      SELECT id, ${turnId}::uuid, ${personId}::uuid, ${companionId}, ${audience}, ${[source]}::text[], kind,
        about, "dueAt", exact, "byClock", yearly, "leapDay"
      FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb)
        AS reason (
          id uuid, kind text, about text, "dueAt" timestamptz, exact boolean, "byClock" boolean,
          yearly boolean, "leapDay" boolean)
      ON CONFLICT DO NOTHING RETURNING id
    ), corrected AS (
      UPDATE intentions AS one SET status = 'dropped'
      FROM jsonb_to_recordset(${toJsonb(corrected)}::jsonb) AS correction (id uuid, by uuid)
      WHERE one.id = correction.id AND correction.by IN (SELECT id FROM kept)
    ), said_again AS (
      UPDATE intentions SET sources = array_append(sources, ${source})
      WHERE id = ANY (${again}::uuid[]) AND ${source} <> ALL (sources)
    )
    SELECT id FROM kept`,
  );
  return kept.length;
}

/**
 * Drops a turn's open promises that it no longer gives, and what is outdated, unless another turn says it; a promise that
 * was a request as well is a request again.
 */
export async function unsay(
  tx: Tx,
  { turnId, personId }: ToldIn,
  noticed: readonly NoticedReason[],
  outdated: readonly NoticedReason[],
): Promise<void> {
  const source = `${TURN_SOURCE}${turnId}`;
  const where = { personId, status: 'open', turnId: { not: null }, sources: { has: source } };
  for (const { id, kind, about, dueAt, ...row } of await tx.intention.findMany({ where })) {
    const isIt = (one: NoticedReason) => one.about === about && one.dueAt.getTime() === dueAt.getTime();
    const now = noticed.find(isIt);
    const isOwn = row.turnId === turnId;
    const isSaid = kind === 'promise' || kind === 'request';
    if (now && isOwn && isSaid && now.kind !== kind)
      await tx.intention.update({ where: { id }, data: { kind: now.kind } });
    else if (!now && ((isOwn && kind === 'promise') || outdated.some(isIt))) {
      const said = await findSaidElsewhere(tx, sql`id = ${id}::uuid`, (one) => one === source);
      const left = await leaveToOthers(tx, said);
      if (left.length === 0) await tx.intention.delete({ where: { id } });
    }
  }
}
