import type { ReasonKind } from '@kith/contracts';
import { toJsonb, type Sql, type Writer } from '@kith/database';

/** Beginning of the source of what a turn gave, before its id. */
export const TURN_SOURCE = 'turn:';

/** A request that is said in other turns as well, as it is to be left to them. */
export interface SaidElsewhere {
  id: string;
  turnId: string;
  kind: ReasonKind;
  sources: string[];
}

/**
 * Finds requests that turns beside the lost ones say as well, and locks all rows that are meant: a turn that says one again
 * at this moment is noted before, and counts, or finds the row gone. A request that goes over to another turn is no promise
 * any more: whether its reply promised it is not known here.
 * @param which matches the rows, named `gone`
 */
export async function findSaidElsewhere(
  tx: Writer,
  which: Sql,
  isLost: (source: string, kind: ReasonKind) => boolean,
): Promise<SaidElsewhere[]> {
  const rows = await tx.$queryRaw<SaidElsewhere[]>`
    SELECT id, turn_id AS "turnId", kind, sources FROM intentions AS gone
    WHERE kind IN ('promise', 'request') AND turn_id IS NOT NULL AND ${which} FOR UPDATE`;
  return rows.flatMap(({ id, turnId, kind, sources: all }): SaidElsewhere[] => {
    const sources = all.filter((source) => !isLost(source, kind));
    const [first] = sources;
    if (first === undefined) return [];
    if (sources.includes(`${TURN_SOURCE}${turnId}`)) return [{ id, turnId, kind, sources }];
    return [{ id, turnId: first.slice(TURN_SOURCE.length), kind: 'request', sources }];
  });
}

/** Leaves requests to the turns that still say them. Returns their ids, without those that the turn has had already. */
export async function leaveToOthers(tx: Writer, said: readonly SaidElsewhere[]): Promise<string[]> {
  if (said.length === 0) return [];
  const left = await tx.$queryRaw<{ id: string }[]>`
    UPDATE intentions AS one SET turn_id = said."turnId", kind = said.kind, sources = said.sources
    FROM jsonb_to_recordset(${toJsonb(said)}::jsonb) AS said (id uuid, "turnId" uuid, kind text, sources text[])
    WHERE one.id = said.id AND NOT EXISTS (
      SELECT FROM intentions AS same
      WHERE same.turn_id = said."turnId" AND same.about = one.about AND same.due_at = one.due_at AND same.id <> one.id)
    RETURNING one.id`;
  return left.map(({ id }) => id);
}
