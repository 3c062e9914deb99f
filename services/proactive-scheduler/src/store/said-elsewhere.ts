import type { ReasonKind } from '@kith/contracts';
import { toJsonb, type Sql, type Writer } from '@kith/database';

/** Prefix of a turn's id among the sources of an intention. */
export const TURN_SOURCE = 'turn:';

/** A request that other turns contain as well, with the turn it is moved to. */
export interface SaidElsewhere {
  id: string;
  turnId: string;
  kind: ReasonKind;
  sources: string[];
}

/**
 * Finds requests that other turns than the lost ones contain, and locks all matching rows: a turn that repeats one at
 * this moment commits before and counts, or finds the row gone. A promise that moves to another turn becomes a request,
 * since it is unknown here whether that turn's reply promised it.
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

/**
 * Moves requests to the turns that still contain them. Returns their ids, without those that such a turn has already.
 */
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
