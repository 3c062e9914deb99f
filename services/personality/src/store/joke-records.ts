import type { Database } from '@kith/database';
import type { Pair } from '../affect/feel-turns.js';
import type { LaughedAt } from '../reading/find-laughed-at.js';
import type { SpokenTurn } from '../reading/spoken-turn.js';
import { noteReturns } from './note-returns.js';
import { keepWaiting } from './keep-waiting.js';

/** Jokes in Postgres: lines that were laughed at, and those that came back. */
export class JokeRecords {
  constructor(private readonly database: Database) {}

  /** The person's felt turn with this companion that came last before a time; private talk is never felt. */
  async turnBefore({ companionId, personId }: Pair, at: Date): Promise<string | null> {
    const row = await this.database.asPerson(personId, (tx) =>
      tx.feltTurn.findFirst({ where: { companionId, personId, at: { lt: at } }, orderBy: { at: 'desc' } }),
    );
    return row?.turnId ?? null;
  }

  /** Keeps what was laughed at, and notes what came back in this turn. The same turn again changes nothing. */
  async note(pair: Pair, turn: SpokenTurn, laughedAt: readonly LaughedAt[]): Promise<void> {
    await this.database.asPerson(pair.personId, async (tx) => {
      // Felt before, or forgotten while it was read.
      const isHandled = await tx.personalityHandledTurn.findUnique({ where: { turnId: turn.turnId } });
      if (isHandled) return;
      await noteReturns(tx, pair, turn);
      if (laughedAt.length > 0) await keepWaiting(tx, pair, turn, laughedAt);
    });
  }
}
