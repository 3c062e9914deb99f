import type { Audience } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import {
  type Ahead,
  MAX_OPEN,
  type NewProspect,
  OPEN_FOR_MS,
  type Prospect,
} from '../appraisal/prospects.js';

interface Pair {
  companionId: string;
  personId: string;
}

/** What a turn did to the prospects of a pair. */
export interface ProspectChange {
  told: readonly NewProspect[];
  /** Prospects that are over with it, by id. */
  closed: readonly string[];
  /** Who could hear the turn. */
  audience: Audience;
  /** The messages of the turn, by their doors' ids. */
  messageIds: readonly string[];
}

/** So many that are over are kept, to say what a feeling was about. */
const MAX_CLOSED = 24;

/** What people told a companion they hope for or fear, in Postgres. Never of private talk, of which no turn is read. */
export class ProspectRecords {
  constructor(private readonly database: Database) {}

  /** What a person was waiting for with this companion at a time, the one told longest ago first. */
  async ahead({ companionId, personId }: Pair, at: number): Promise<Ahead> {
    const rows = await this.database.asPerson(personId, (tx) =>
      tx.prospect.findMany({
        where: {
          ...{ companionId, personId, settledBy: null },
          since: { lte: new Date(at), gt: new Date(at - OPEN_FOR_MS) },
        },
        orderBy: [{ since: 'asc' }, { kind: 'asc' }],
      }),
    );
    const open = rows.map(({ id, turnId, kind, about, desirability, likelihood, since }): Prospect => ({
      ...{ id, turnId, about, desirability, likelihood, since: since.getTime() },
      kind: kind === 'hoped' ? 'hoped' : 'feared',
    }));
    return { open, at };
  }

  /** Keeps what a turn told; what is kept of it already stays as it is. */
  async keep(turn: Pair & { turnId: string }, change: ProspectChange, at: number): Promise<void> {
    await this.database.asPerson(turn.personId, (tx) => saveProspects(tx, turn, change, at));
  }

  /** Lets go of what was given up by a day, whoever told it and never came back. */
  async expire(companionId: string, day: string): Promise<void> {
    const since = { lt: new Date(Date.parse(day) - OPEN_FOR_MS) };
    await this.database.asSystem((tx) => tx.prospect.deleteMany({ where: { companionId, since } }));
  }
}

/** Keeps what a turn told, closes what it settled, and lets go of what is too much. */
export async function saveProspects(
  tx: Tx,
  { turnId, companionId, personId }: Pair & { turnId: string },
  { told, closed, audience, messageIds }: ProspectChange,
  at: number,
): Promise<void> {
  const pair = { companionId, personId };
  if (closed.length > 0) {
    await tx.prospect.updateMany({
      where: { ...pair, id: { in: [...closed] }, settledBy: null },
      data: { settledBy: turnId },
    });
  }
  if (told.length > 0) {
    const source = { ...pair, turnId, audience, messageIds: [...messageIds], since: new Date(at) };
    await tx.prospect.createMany({
      data: told.map((prospect) => ({ ...source, ...prospect })),
      skipDuplicates: true,
    });
  }
  if (told.length + closed.length === 0) return;
  await keepLatest(tx, { ...pair, settledBy: null }, MAX_OPEN);
  await keepLatest(tx, { ...pair, settledBy: { not: null } }, MAX_CLOSED);
}

async function keepLatest(
  tx: Tx,
  where: Pair & { settledBy: null | { not: null } },
  limit: number,
): Promise<void> {
  const rows = await tx.prospect.findMany({
    where,
    orderBy: [{ since: 'desc' }, { id: 'desc' }],
    skip: limit,
    select: { id: true },
  });
  if (rows.length > 0) await tx.prospect.deleteMany({ where: { id: { in: rows.map(({ id }) => id) } } });
}
