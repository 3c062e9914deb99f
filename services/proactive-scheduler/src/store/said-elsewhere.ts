import type { ReasonKind } from '@kith/contracts';
import { columnOf, toJsonb, type Sql, type Writer } from '@kith/database';

/** Prefix of a turn's id among the sources of an intention. */
export const TURN_SOURCE = 'turn:';

/** Part of a request: some of the turns that contain it. */
export interface SharedRequest {
  id: string;
  turnId: string;
  kind: ReasonKind;
  sources: string[];
}

/**
 * Divides requests between the lost turns and other turns that contain them, and locks all matching rows: a turn that
 * repeats one at this moment commits before and counts, or finds the row gone. A promise that moves to another turn becomes a
 * request, since it is unknown here whether that turn's reply promised it.
 * @param which matches the rows, named `gone`
 */
export async function divideRequests(
  tx: Writer,
  which: Sql,
  isLost: (source: string, kind: ReasonKind) => boolean,
) {
  const rows = await tx.$queryRaw<SharedRequest[]>`
    SELECT id, turn_id AS "turnId", kind, sources FROM intentions AS gone
    WHERE kind IN ('promise', 'request') AND turn_id IS NOT NULL AND ${which} FOR UPDATE`;
  return rows.map((row) => {
    const own = `${TURN_SOURCE}${row.turnId}`;
    const partOf = (sources: string[]): SharedRequest | null => {
      const [first] = sources;
      if (first === undefined) return null;
      if (sources.includes(own)) return { ...row, sources };
      return { id: row.id, turnId: first.slice(TURN_SOURCE.length), kind: 'request', sources };
    };
    const lost = row.sources.filter((source) => isLost(source, row.kind));
    // The part of the turns that still contain it, and one for each lost turn, that of the row's own turn first.
    return {
      left: partOf(row.sources.filter((source) => !lost.includes(source))),
      taken: lost
        .toSorted((a, b) => Number(b === own) - Number(a === own))
        .flatMap((source) => partOf([source]) ?? []),
    };
  });
}

/**
 * Joins the parts of requests that an undo restores with the rows there are. A promise stays one; a request that
 * was sent or dropped meanwhile stays as it is. Returns the ids.
 */
export async function joinRequests(tx: Writer, parts: readonly StoredRequest[]): Promise<string[]> {
  const byId = Map.groupBy(parts, ({ id }) => id);
  const rows = await tx.$queryRaw<StoredRequest[]>`
    SELECT id, turn_id, kind, status, sources FROM intentions WHERE id = ANY (${[...byId.keys()]}::uuid[])
      AND kind IN ('promise', 'request') AND turn_id IS NOT NULL FOR UPDATE`;
  const joined = rows.map((row): SharedRequest => {
    const back = (byId.get(row.id) ?? []).filter(({ status }) => status === row.status);
    const all = [...back, row];
    const { turn_id: turnId, kind } = all.find((one) => one.kind === 'promise') ?? all[0] ?? row;
    return { id: row.id, turnId, kind, sources: [...new Set(all.flatMap(({ sources }) => sources))] };
  });
  return leaveToOthers(tx, joined);
}

/** A request by its columns. */
export type StoredRequest = Omit<SharedRequest, 'turnId'> & { turn_id: string; status: string };

/** Moves requests to the turns that contain them now. Returns their ids, without those that such a turn has already. */
export async function leaveToOthers(tx: Writer, said: readonly SharedRequest[]): Promise<string[]> {
  if (said.length === 0) return [];
  return columnOf(tx)`
    UPDATE intentions AS one SET turn_id = said."turnId", kind = said.kind, sources = said.sources,
      asked = one.asked OR said.kind = 'request'
    FROM jsonb_to_recordset(${toJsonb(said)}::jsonb) AS said (id uuid, "turnId" uuid, kind text, sources text[])
    WHERE one.id = said.id AND NOT EXISTS (
      SELECT FROM intentions AS same
      WHERE same.turn_id = said."turnId" AND same.about = one.about AND same.due_at = one.due_at AND same.id <> one.id)
    RETURNING one.id`;
}
