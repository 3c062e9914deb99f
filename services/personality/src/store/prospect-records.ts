import { isOverdue, readOfEach, sql, type Database } from '@kith/database';
import type { Pair } from '../affect/feel-turns.js';
import { type OpenProspects, OPEN_FOR_MS, type Prospect } from '../affect/prospect.js';
import { type ProspectChange, saveProspects } from './save-prospects.js';

/** The situation that a turn is read in. */
export interface Situation {
  /** The person's open prospects with this companion, the oldest first. */
  ahead: OpenProspects;
  /** The two share jokes, or laughed at something that may become one. */
  hasJokes: boolean;
}

/** Hopes and fears that people told a companion, in Postgres. Never of private talk, of which no turn is read. */
export class ProspectRecords {
  constructor(private readonly database: Database) {}

  /** Loads the situation that each of these turns was said in, without what the turn itself told. */
  situations(turns: readonly (Pair & { turnId: string; at: number })[]): Promise<Situation[]> {
    return readOfEach(this.database, turns, async (reader, { turnId, companionId, personId, at }) => {
      const [rows, jokes] = await Promise.all([
        reader.$queryRaw<ProspectRow[]>`
          SELECT id, turn_id AS "turnId", kind, about, desirability, likelihood, since FROM prospects
          WHERE companion_id = ${companionId} AND person_id = ${personId}::uuid AND settled_by IS NULL
            AND turn_id <> ${turnId}::uuid AND since <= ${new Date(at)} AND since > ${new Date(at - OPEN_FOR_MS)}
          ORDER BY since, kind`,
        reader.$queryRaw<unknown[]>`
          SELECT 1 FROM shared_jokes WHERE companion_id = ${companionId} AND person_id = ${personId}::uuid LIMIT 1`,
      ]);
      const open = rows.map(({ id, turnId, kind, about, desirability, likelihood, since }): Prospect => ({
        ...{ id, turnId, about, desirability, likelihood, since: since.getTime() },
        kind: kind === 'hoped' ? 'hoped' : 'feared',
      }));
      return { ahead: { open, at }, hasJokes: jokes.length > 0 };
    });
  }

  /** Keeps what a turn tells now, and nothing else of it; what is kept of it already stays as it is. */
  async replace(turn: Pair & { turnId: string }, change: ProspectChange, at: number): Promise<void> {
    const told = change.told.map(({ kind, about }) => `${kind} ${about}`);
    await this.database.write({ personId: turn.personId }, (tx) =>
      Promise.all([
        tx.$executeRaw`
          DELETE FROM prospects WHERE turn_id = ${turn.turnId}::uuid AND kind || ' ' || about <> ALL (${told}::text[])`,
        saveProspects(tx, turn, change, at),
      ]),
    );
  }

  /** Finds turns that are still to be read again, with when they were edited; with `overdueMs`, those edited that long ago. */
  toReread(turnIds: readonly string[], overdueMs = 0): Promise<{ turnId: string; editedAt: Date }[]> {
    return this.database.reader('system').$queryRaw`
      SELECT turn_id::text AS "turnId", edited_at AS "editedAt" FROM personality_handled_turns
      WHERE turn_id = ANY (${[...turnIds]}::uuid[]) AND edited_at IS NOT NULL
        AND (${overdueMs === 0} OR ${isOverdue(sql`edited_at`, overdueMs)})`;
  }

  /** Notes that a turn was read again, unless it was edited once more since. */
  async wasReread(turnId: string, editedAt: Date): Promise<void> {
    await this.database.writer('system').$executeRaw`
      UPDATE personality_handled_turns SET edited_at = NULL
      WHERE turn_id = ${turnId}::uuid AND edited_at = ${editedAt}`;
  }

  /** Removes what a turn told. */
  async remove(turnId: string): Promise<void> {
    await this.database.writer('system').$executeRaw`DELETE FROM prospects WHERE turn_id = ${turnId}::uuid`;
  }

  /** Removes prospects that nobody came back to for too long, as of a day. */
  async expire(companionId: string, day: string): Promise<void> {
    const since = { lt: new Date(Date.parse(day) - OPEN_FOR_MS) };
    await this.database.asSystem((tx) => tx.prospect.deleteMany({ where: { companionId, since } }));
  }
}

type ProspectRow = Omit<Prospect, 'kind' | 'since'> & { kind: string; since: Date };
