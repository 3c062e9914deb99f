import { columnOf } from '../transactions/column-of.js';
import { dontWaitForDisk } from '../transactions/dont-wait-for-disk.js';
import type { Database } from '../database/database.js';
import { deleteInBatches } from './in-batches.js';
import { People } from './people.js';
import { rawSql, sql, type Sql } from '../sql/sql.js';
import type { EndingWriter, Writer } from '../transactions/transaction.js';

/** Days for which a handled turn is known. One that is asked about later would be handled once more. */
export const LEDGER_DAYS = 30;
/** Rows that go in one transaction: a fraction of a second, after however long an absence. */
const PRUNE_BATCH = 5_000;

type LedgerTable = 'memory_handled_turns' | 'personality_handled_turns' | 'outreach_handled_turns';

/** A service's own list of the turns it has dealt with. After a loss it tells which are still to do. */
export class TurnLedger {
  private readonly table: Sql;

  constructor(
    private readonly database: Database,
    private readonly tableName: LedgerTable,
  ) {
    this.table = rawSql(tableName);
  }

  /**
   * Notes a turn in the transaction that deals with it. Returns false when it was noted before: then there is
   * nothing left to do.
   */
  async note(tx: Writer, { turnId, personId }: { turnId: string; personId: string }): Promise<boolean> {
    const noted = await tx.$executeRaw`
      INSERT INTO ${this.table} (turn_id, person_id) VALUES (${turnId}::uuid, ${personId}::uuid)
      ON CONFLICT (turn_id) DO NOTHING`;
    return noted === 1;
  }

  /**
   * Deals with turns of these people in one transaction, whose `work` notes them. Where nothing outside of Postgres has
   * to agree with it, its commit does not wait for the disk: what a crash loses it loses whole, the note with the work,
   * and the turns are ordered again (decision 0027).
   */
  async handle<T>(
    personIds: readonly string[],
    work: (people: People, tx: EndingWriter) => Promise<T>,
    { waitsForDisk = false } = {},
  ): Promise<T> {
    const [first] = personIds;
    if (first === undefined) throw new Error('handling turns needs a person');
    return this.database.write({ personId: first }, (tx) => {
      if (!waitsForDisk) dontWaitForDisk(tx);
      return work(new People(tx), tx);
    });
  }

  /** Notes turns of one person. Returns the ids of those that were not noted before. */
  noteAll(tx: Writer, personId: string, turns: readonly { turnId: string }[]): Promise<string[]> {
    return columnOf(tx)`${this.noting(personId, turns)}`;
  }

  /** Notes a person's forgotten turns. Whoever is reading one of them at the moment then keeps nothing of it. */
  async noteForgotten(tx: Writer, personId: string, turnIds: readonly string[]): Promise<void> {
    const turns = turnIds.map((turnId) => ({ turnId }));
    await this.noteAll(tx, personId, turns);
  }

  /** Notes turns of several people that nobody is to deal with any more. Waits for whoever is dealing with one of them. */
  async noteGone(tx: Writer, turns: readonly { turnId: string; personId: string }[]): Promise<void> {
    const inOrder = turns.toSorted((a, b) => (a.turnId < b.turnId ? -1 : 1));
    await tx.$executeRaw`
      INSERT INTO ${this.table} (turn_id, person_id)
      SELECT * FROM unnest(${inOrder.map(({ turnId }) => turnId)}::uuid[], ${inOrder.map(({ personId }) => personId)}::uuid[])
      ON CONFLICT (turn_id) DO NOTHING`;
  }

  /** Makes the statement of `noteAll`, to stand in another that writes only where a turn is new. */
  noting(personId: string, turns: readonly { turnId: string }[]): Sql {
    return sql`
      INSERT INTO ${this.table} (turn_id, person_id)
      SELECT id, ${personId}::uuid FROM unnest(${turns.map(({ turnId }) => turnId)}::uuid[]) AS given(id)
      ON CONFLICT (turn_id) DO NOTHING RETURNING turn_id AS id`;
  }

  /** Marks turns as not handled: their words have changed, and they are read again. */
  async reopen(tx: Writer, turnIds: readonly string[]): Promise<void> {
    await tx.$executeRaw`DELETE FROM ${this.table} WHERE turn_id = ANY (${[...turnIds]}::uuid[])`;
  }

  /** Returns the ids of the turns that are not noted. */
  missing(turnIds: readonly string[]): Promise<string[]> {
    return columnOf(this.database.reader('system'))`
      SELECT asked.id FROM unnest(${turnIds}::uuid[]) AS asked(id)
      WHERE NOT EXISTS (SELECT 1 FROM ${this.table} WHERE turn_id = asked.id)`;
  }

  /** Deletes notes that nobody asks about any more. */
  async prune(): Promise<void> {
    const isOld = sql`at < now() - ${LEDGER_DAYS} * interval '1 day'`;
    await deleteInBatches(this.database, 'system', this.tableName, isOld, PRUNE_BATCH);
  }
}
