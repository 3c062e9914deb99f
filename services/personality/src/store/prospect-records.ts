import {
  isOverdue,
  readOfEach,
  sql,
  type Database,
  toJsonb,
  uuid7,
  type Sql,
  type Writer,
} from '@kith/database';
import type { Pair } from '../affect/feel-turns.js';
import { OPEN_FOR_MS, type Prospect, MAX_OPEN, type NewProspect } from '../affect/prospect.js';
import type { Audience } from '@kith/contracts';

/** The situation that a turn is read in. */
export type Situation = Awaited<ReturnType<ProspectRecords['situations']>>[number];

/** Hopes and fears that people told a companion, in Postgres. Never of private talk, of which no turn is read. */
export class ProspectRecords {
  constructor(private readonly database: Database) {}

  /**
   * Loads the situation that each of these turns was said in, without what the turn itself told: the person's open prospects,
   * the oldest first, and whether the two share jokes, or laughed at something that may become one.
   */
  situations(turns: readonly (Pair & { turnId: string; at: number })[]) {
    return readOfEach(this.database, turns, async (reader, { turnId, companionId, personId, at }) => {
      const [rows, jokes] = await Promise.all([
        reader.$queryRaw<(Omit<Prospect, 'kind' | 'since'> & { kind: string; since: Date })[]>`
          SELECT id, turn_id AS "turnId", kind, about, desirability, likelihood, since FROM prospects
          WHERE companion_id = ${companionId} AND person_id = ${personId}::uuid AND settled_by IS NULL
            AND turn_id <> ${turnId}::uuid AND since <= ${new Date(at)} AND since > ${new Date(at - OPEN_FOR_MS)}
          ORDER BY since, kind`,
        reader.$queryRaw<unknown[]>`
          SELECT 1 FROM shared_jokes WHERE companion_id = ${companionId} AND person_id = ${personId}::uuid LIMIT 1`,
      ]);
      const open = rows.map(({ id, turnId, kind, about, desirability, likelihood, since }): Prospect => ({
        id,
        turnId,
        about,
        desirability,
        likelihood,
        since: since.getTime(),
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

/** Changes of a turn to the prospects of a pair. */
export interface ProspectChange {
  told: readonly NewProspect[];
  /** Prospects that are over with it, by id. */
  closed: readonly string[];
  audience: Audience;
  /** The messages of the turn, by their doors' ids. */
  messageIds: readonly string[];
}

/** The settled prospects that a pair keeps, to say what a feeling was about. */
const MAX_CLOSED = 24;

/** Stores a turn's prospects, closes settled ones, drops those past the limit. */
export async function saveProspects(
  tx: Writer,
  { turnId, companionId, personId }: Pair & { turnId: string },
  { told, closed, audience, messageIds }: ProspectChange,
  at: number,
): Promise<void> {
  if (told.length + closed.length === 0) return;
  const ofPair = sql`companion_id = ${companionId} AND person_id = ${personId}::uuid`;
  const keepLatest = async (state: Sql, limit: number) => tx.$executeRaw`
    DELETE FROM prospects WHERE id IN (
      SELECT id FROM prospects WHERE ${ofPair} AND ${state} ORDER BY since DESC, id DESC OFFSET ${limit}
    )`;
  await Promise.all([
    tx.$executeRaw`
      UPDATE prospects SET settled_by = ${turnId}::uuid
      WHERE ${ofPair} AND id = ANY (${[...closed]}::uuid[]) AND settled_by IS NULL`,
    tx.$executeRaw`
      INSERT INTO prospects (id, companion_id, person_id, turn_id, kind, about, audience, desirability, likelihood,
        message_ids, since)
      SELECT id, ${companionId}, ${personId}::uuid, ${turnId}::uuid, kind, about, ${audience},
        desirability, likelihood, ${[...messageIds]}::text[], ${new Date(at)}::timestamptz
      FROM jsonb_to_recordset(${toJsonb(told.map((one) => ({ id: uuid7(), ...one })))}::jsonb)
        AS told (id uuid, kind text, about text, desirability float8, likelihood float8)
      ON CONFLICT DO NOTHING`,
    keepLatest(sql`settled_by IS NULL`, MAX_OPEN),
    keepLatest(sql`settled_by IS NOT NULL`, MAX_CLOSED),
  ]);
}
