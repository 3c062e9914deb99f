import type { FeltTurnModel, Tx } from '@kith/database';
import { moodOf } from './snapshot-of.js';
import type { Bond } from '../affect/bond/bond.js';
import type { LogStart } from '../affect/replay.js';
import { offsetOf, needsOf } from './logged-turn.js';

/** Loads the states before the first turn and the first event of the replay. */
export async function logStart(
  tx: Tx,
  companionId: string,
  firstTurn: FeltTurnModel | null,
  firstEvent: bigint | null,
): Promise<LogStart> {
  const start: LogStart = { shared: null, offsets: new Map(), needs: null, bonds: new Map() };
  if (!firstTurn) return start;
  const turnsBefore = { companionId, id: { lt: firstTurn.id } };
  const needs = await tx.feltTurn.findFirst({
    where: { ...turnsBefore, needsAt: { not: null } },
    orderBy: { id: 'desc' },
  });
  const bonds = await tx.feltTurn.findMany({
    where: turnsBefore,
    orderBy: [{ personId: 'asc' }, { id: 'desc' }],
    distinct: ['personId'],
  });
  const events = { companionId, ...(firstEvent === null ? {} : { id: { lt: firstEvent } }) };
  const shared = await tx.affectEvent.findFirst({ where: events, orderBy: { id: 'desc' } });
  const offsets = await tx.affectEvent.findMany({
    where: events,
    orderBy: [{ personId: 'asc' }, { id: 'desc' }],
    distinct: ['personId'],
  });
  return {
    shared: shared && moodOf(shared),
    offsets: new Map(
      offsets.map((row) => [row.personId, { pad: offsetOf(row), at: row.at.getTime() }] as const),
    ),
    needs: needs && needsOf(needs),
    bonds: new Map(
      bonds.flatMap(({ personId, bond }) => (bond ? [[personId, bond as unknown as Bond]] : [])),
    ),
  };
}
