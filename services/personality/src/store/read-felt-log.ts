import { AppError, type Pad } from '@kith/contracts';
import { type AffectEventModel, type Database, type FeltTurnModel, sql, type Tx } from '@kith/database';
import type { Bond } from '../affect/bond/bond.js';
import type { EmotionName } from '../affect/mood/emotions.js';
import { padOf } from '../affect/mood/pad.js';
import type { NeedLevels, NeedState } from '../affect/needs/needs.js';
import type { LoggedTurn, LogStart } from '../affect/replay.js';
import { moodOf } from './stored-snapshot.js';

/** A year of a lively community; a longer period is replayed in parts. */
const MAX_TURNS = 20_000;

/**
 * Loads the turns of a period in the order they were felt, and the state before them, as a replay needs it. It covers
 * every person, and holds nobody's words.
 * @throws AppError `invalid_request` when the period holds more than can be replayed at once
 */
export function readFeltLog(database: Database, companionId: string, { from, to }: { from: Date; to: Date }) {
  return database.asSystem(async (tx) => {
    const rows = await turnRows(tx, companionId, from, to);
    // Turns that came in late are felt in the period, and were said before it.
    const times = rows.flatMap(({ needsAt, at }) => (needsAt ? [at.getTime()] : []));
    const said = { gte: new Date(Math.min(...times, to.getTime())), lte: new Date(Math.max(...times, 0)) };
    const events = await tx.affectEvent.findMany({
      where: { companionId, at: said },
      orderBy: { id: 'asc' },
    });
    const eventsOf = Map.groupBy(events, ({ turnId }) => turnId);
    const turns = rows.map((row) => loggedTurn(row, eventsOf.get(row.turnId) ?? []));
    const logged = new Set(rows.map(({ turnId }) => turnId));
    const firstEvent = events.find(({ turnId }) => logged.has(turnId))?.id ?? null;
    return { turns, start: await logStart(tx, companionId, rows, firstEvent) };
  });
}

/** Loads all rows between the first and the last that was felt in the period: history among them tells of bonds. */
async function turnRows(tx: Tx, companionId: string, from: Date, to: Date): Promise<FeltTurnModel[]> {
  const { _min, _max } = await tx.feltTurn.aggregate({
    where: { companionId, at: { gte: from, lte: to }, needsAt: { not: null } },
    _min: { id: true },
    _max: { id: true },
  });
  if (_min.id === null || _max.id === null) return [];
  const where = { companionId, id: { gte: _min.id, lte: _max.id } };
  const count = await tx.feltTurn.count({ where });
  if (count > MAX_TURNS) {
    const detail = `the period holds ${count} turns, with those of imported talk; at most ${MAX_TURNS} are replayed at once`;
    throw new AppError('invalid_request', detail, { field: 'from' });
  }
  return tx.feltTurn.findMany({ where, orderBy: { id: 'asc' } });
}

/**
 * Loads the states before the first turn and the first event of the replay, of the people in it. Postgres picks each one's
 * last row: Prisma's `distinct` would read their whole history.
 */
async function logStart(
  tx: Tx,
  companionId: string,
  turns: readonly FeltTurnModel[],
  firstEvent: bigint | null,
): Promise<LogStart> {
  const [firstTurn] = turns;
  if (!firstTurn) return { shared: null, offsets: new Map(), needs: null, bonds: new Map() };
  const people = [...new Set(turns.map(({ personId }) => personId))];
  const needs = await tx.feltTurn.findFirst({
    where: { companionId, id: { lt: firstTurn.id }, needsAt: { not: null } },
    orderBy: { id: 'desc' },
  });
  const bonds = await tx.$queryRaw<{ personId: string; bond: Bond | null }[]>`
    SELECT DISTINCT ON (person_id) person_id AS "personId", bond FROM felt_turns
    WHERE companion_id = ${companionId} AND person_id = ANY (${people}::uuid[]) AND id < ${firstTurn.id}
    ORDER BY person_id, id DESC`;
  // Where nothing was felt in the period, later moods are not those before it.
  const before = firstEvent === null ? { at: { lte: firstTurn.at } } : { id: { lt: firstEvent } };
  const shared = await tx.affectEvent.findFirst({
    where: { companionId, ...before },
    orderBy: { id: 'desc' },
  });
  const offsets = await tx.$queryRaw<{ personId: string; offset: Pad; at: Date }[]>`
    SELECT DISTINCT ON (person_id) person_id AS "personId", appraisal -> 'offset' AS "offset", at FROM affect_events
    WHERE companion_id = ${companionId} AND person_id = ANY (${people}::uuid[])
      AND ${firstEvent === null ? sql`at <= ${firstTurn.at}` : sql`id < ${firstEvent}`}
    ORDER BY person_id, id DESC`;
  return {
    shared: shared && moodOf(shared),
    offsets: new Map(
      offsets.map(({ personId, offset, at }) => [personId, { pad: padOf(offset), at: at.getTime() }]),
    ),
    needs: needs && needsOf(needs),
    bonds: new Map(bonds.flatMap(({ personId, bond }) => (bond ? [[personId, bond]] : []))),
  };
}

/** Builds a turn of the log from its row and its events. */
function loggedTurn(row: FeltTurnModel, events: readonly AffectEventModel[]): LoggedTurn {
  const { turnId, personId, version, at } = row;
  const last = events.at(-1);
  return {
    turnId,
    personId,
    version,
    at: at.getTime(),
    emotions: events.map(({ emotion, intensity }) => ({ name: emotion as EmotionName, intensity })),
    left: {
      shared: last ? padOf(last) : null,
      offset: last ? offsetOf(last) : null,
      needs: needsOf(row),
      bond: row.bond as Bond | null,
    },
  };
}

/** Reads an event's offset, key by key: jsonb does not keep the order of its keys. */
function offsetOf({ appraisal }: AffectEventModel): Pad {
  return padOf((appraisal as { offset: Pad }).offset);
}

/** Reads the needs a turn left; null for history. */
function needsOf({ needs, needsAt }: Pick<FeltTurnModel, 'needs' | 'needsAt'>): NeedState | null {
  return needs && needsAt ? { levels: needs as NeedLevels, at: needsAt.getTime() } : null;
}
