import { AppError } from '@kith/contracts';
import type { Database, FeltTurnModel, Tx } from '@kith/database';
import type { LogStart, LoggedTurn } from '../affect/replay.js';
import { logStart } from './log-start.js';
import { loggedTurn } from './logged-turn.js';

/** A year of a lively community; a longer period is replayed in parts. */
const MAX_TURNS = 20_000;

/** The log of what was felt, as it takes to feel it again. Reads every person's: none of it is anyone's words. */
export class FeltLog {
  constructor(private readonly database: Database) {}

  /**
   * The turns of a period in the order they were felt, and what there was before.
   * @throws AppError `invalid_request` when the period holds more than can be replayed at once
   */
  async days(companionId: string, from: Date, to: Date): Promise<{ turns: LoggedTurn[]; start: LogStart }> {
    return this.database.asSystem(async (tx) => {
      const rows = await turnRows(tx, companionId, from, to);
      const events = await tx.affectEvent.findMany({
        where: { companionId, at: { gte: from, lte: to } },
        orderBy: { id: 'asc' },
      });
      const eventsOf = Map.groupBy(events, ({ turnId }) => turnId);
      const turns = rows.map((row) => loggedTurn(row, eventsOf.get(row.turnId) ?? []));
      const logged = new Set(rows.map(({ turnId }) => turnId));
      const firstEvent = events.find(({ turnId }) => logged.has(turnId))?.id ?? null;
      return { turns, start: await logStart(tx, companionId, rows[0] ?? null, firstEvent) };
    });
  }
}

/** All rows between the first and the last that was felt in the period: history among them tells of bonds. */
async function turnRows(tx: Tx, companionId: string, from: Date, to: Date): Promise<FeltTurnModel[]> {
  const { _min, _max, _count } = await tx.feltTurn.aggregate({
    where: { companionId, at: { gte: from, lte: to }, needsAt: { not: null } },
    _min: { id: true },
    _max: { id: true },
    _count: true,
  });
  if (_count > MAX_TURNS) {
    const detail = `the period holds ${_count} turns; at most ${MAX_TURNS} are replayed at once`;
    throw new AppError('invalid_request', detail, { field: 'from' });
  }
  if (_min.id === null || _max.id === null) return [];
  return tx.feltTurn.findMany({
    where: { companionId, id: { gte: _min.id, lte: _max.id } },
    orderBy: { id: 'asc' },
  });
}
