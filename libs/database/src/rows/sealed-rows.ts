import { columnOf } from '../transactions/column-of.js';
import type { Database } from '../database/database.js';
import { DueWork } from './due-work.js';
import type { Writer } from '../transactions/transaction.js';
import { rawSql, sql, type Sql } from '../sql/sql.js';

/** An order to forget. Without `until` it can't be undone, and nothing of it is kept. */
export interface SealOrder {
  orderId: string;
  personId: string;
  until: Date | null;
}

/** Reads the order of a request. */
export function sealOrderOf({
  orderId,
  personId,
  undoUntil,
}: Omit<SealOrder, 'until'> & { undoUntil: string | null }): SealOrder {
  return { orderId, personId, until: undoUntil === null ? null : new Date(undoUntil) };
}

/** A row by its columns, as JSON. */
export type RestoredRow = Readonly<Record<string, unknown>>;

/** Longest time that rows may outlast the undo of their order, where the process that sealed them has died. */
const BURN_EVERY_MS = 60_000;

/**
 * A service's removed rows, kept out of sight for as long as an order to forget can be undone. They lie here as JSON, so
 * that no query over people's tables can find them.
 */
export class SealedRows {
  private readonly table: Sql;
  private readonly burning: DueWork;

  constructor(
    private readonly database: Database,
    table: 'memory_sealed_rows' | 'personality_sealed_rows' | 'outreach_sealed_rows',
  ) {
    this.table = rawSql(table);
    this.burning = new DueWork(() => this.burnDue(), BURN_EVERY_MS);
  }

  /** Removes the rows of a relation that fit, and seals them where the order can be undone. Returns how many. */
  async remove(tx: Writer, order: SealOrder, relation: string, where: Sql): Promise<number> {
    const removal = sql`DELETE FROM ${rawSql(relation)} AS gone WHERE ${where}`;
    if (order.until === null) return tx.$executeRaw(removal);
    const sealing = this.sealing(order, order.until, relation, sql`gone`);
    return tx.$executeRaw`WITH gone AS (${removal} RETURNING *) ${sealing}`;
  }

  /** Seals parts of rows, as a query makes them. An undo inserts them; its caller joins them with the rows they belong to. */
  async add(tx: Writer, order: SealOrder, relation: string, rows: Sql): Promise<void> {
    if (order.until !== null)
      await tx.$executeRaw(this.sealing(order, order.until, relation, sql`(${rows}) AS gone`));
  }

  /** Lists the removed rows of a relation that the undo of an order would put back now. */
  held<Row>(tx: Writer, orderId: string, relation: string): Promise<Row[]> {
    return columnOf(tx)<Row>`
      SELECT row FROM ${this.table} AS sealed
      WHERE ${heldBy(orderId, relation)} AND sealed.key IS NULL AND ${this.isItsAlone(orderId, relation)}
      ORDER BY id`;
  }

  /**
   * Seals the state of rows before an order changes them.
   * @param key columns that name such a row; an undo leaves one alone in which any of them has changed
   */
  async copy(
    tx: Writer,
    order: SealOrder,
    relation: string,
    where: Sql,
    key: readonly string[],
  ): Promise<void> {
    const from = sql`${rawSql(relation)} AS gone WHERE ${where}`;
    if (order.until !== null) await tx.$executeRaw(this.sealing(order, order.until, relation, from, key));
  }

  /**
   * Makes the statement that seals rows which it calls `gone`, and has them deleted in time.
   * @param key columns that name a row which stays; none for one that is removed
   */
  private sealing(
    { orderId, personId }: SealOrder,
    until: Date,
    relation: string,
    from: Sql,
    key: readonly string[] = [],
  ): Sql {
    this.burning.due(until);
    return sql`
      INSERT INTO ${this.table} (order_id, person_id, relation, row, key, until)
      SELECT ${orderId}::uuid, ${personId}::uuid, ${relation}, to_jsonb(gone),
        (SELECT jsonb_object_agg(name, to_jsonb(gone) -> name) FROM unnest(${[...key]}::text[]) AS name), ${until}
      FROM ${from}`;
  }

  /**
   * Removes rows as `remove` does, and seals under this order, too, what earlier ones removed and it names as well: such a
   * row comes back with the last undo of them, as long as each has time. Where this order can't be undone, those rows are
   * deleted for good. Returns the number removed by this order alone.
   */
  async removeAlsoSealed(tx: Writer, order: SealOrder, relation: string, where: Sql): Promise<number> {
    const { orderId, personId, until } = order;
    const rows = await this.remove(tx, order, relation, where);
    const isNamed = sql`
      sealed.person_id = ${personId}::uuid AND sealed.relation = ${relation} AND sealed.key IS NULL
      AND sealed.order_id <> ${orderId}::uuid
      AND EXISTS (SELECT FROM jsonb_populate_record(NULL::${rawSql(relation)}, sealed.row) AS gone WHERE ${where})`;
    if (until === null) {
      await tx.$executeRaw`DELETE FROM ${this.table} AS sealed WHERE ${isNamed}`;
      return rows;
    }
    await tx.$executeRaw`
      INSERT INTO ${this.table} (order_id, person_id, relation, row, until)
      SELECT ${orderId}::uuid, ${personId}::uuid, ${relation}, sealed.row, least(min(sealed.until), ${until}::timestamptz)
      FROM ${this.table} AS sealed
      WHERE ${isNamed} AND NOT EXISTS (
        SELECT FROM ${this.table} AS own
        WHERE own.order_id = ${orderId}::uuid AND own.relation = ${relation} AND own.row = sealed.row)
      GROUP BY sealed.row`;
    return rows;
  }

  /**
   * Puts back what an order removed, the last relation first, as far as nothing has taken its place and no other order that
   * stands names it; nothing once its time is over.
   * @param changes the columns that an order changes in rows that stay, by relation: others keep what they have by now.
   *   Without them such a row is put back whole
   * @returns the rows that are back, by relation
   */
  async restore(
    tx: Writer,
    orderId: string,
    changes: Readonly<Record<string, readonly string[]>> = {},
  ): Promise<Map<string, RestoredRow[]>> {
    const relations = await tx.$queryRaw<{ relation: string; isChanged: boolean }[]>`
      SELECT relation, bool_or(key IS NOT NULL) AS "isChanged" FROM ${this.table}
      WHERE order_id = ${orderId}::uuid AND until > now() GROUP BY relation
      ORDER BY max(id) DESC`;
    const back = new Map<string, RestoredRow[]>();
    for (const { relation, isChanged } of relations) {
      const table = rawSql(relation);
      const isMeant = heldBy(orderId, relation);
      const columns = changes[relation];
      const given = columns
        ? sql`(SELECT jsonb_object_agg(name, sealed.row -> name) FROM unnest(${[...columns]}::text[]) AS name)`
        : sql`sealed.row`;
      // Not every relation has a person: a habit is of several.
      if (isChanged)
        await tx.$executeRaw`
          WITH gone AS (
            DELETE FROM ${table} AS changed USING ${this.table} AS sealed
            WHERE ${isMeant} AND sealed.key IS NOT NULL
              AND changed.person_id = sealed.person_id AND to_jsonb(changed) @> sealed.key
            RETURNING sealed.id, to_jsonb(changed) AS row)
          UPDATE ${this.table} AS sealed SET row = gone.row || ${given} FROM gone WHERE sealed.id = gone.id`;
      const restored = await columnOf(tx)<RestoredRow>`
        INSERT INTO ${table} AS back SELECT restored.* FROM ${this.table} AS sealed
        CROSS JOIN LATERAL jsonb_populate_record(NULL::${table}, sealed.row) AS restored
        WHERE ${isMeant} AND (sealed.key IS NOT NULL OR ${this.isItsAlone(orderId, relation)})
        ORDER BY sealed.id ON CONFLICT DO NOTHING RETURNING to_jsonb(back) AS row`;
      back.set(relation, restored);
    }
    await this.burn(tx, orderId);
    return back;
  }

  /** Puts back what an order removed, as `restore` does. Returns the number of rows. */
  async restoreAndCount(tx: Writer, orderId: string): Promise<number> {
    return [...(await this.restore(tx, orderId)).values()].flat().length;
  }

  /** Makes the condition that no other order in force names a sealed row. */
  private isItsAlone(orderId: string, relation: string): Sql {
    return sql`(sealed.person_id, md5(sealed.row::text)) NOT IN (
      -- Read once: for each of many rows a search of its own would read all that its person has sealed.
      SELECT other.person_id, md5(other.row::text) FROM ${this.table} AS other
      WHERE other.person_id IN (SELECT person_id FROM ${this.table} WHERE order_id = ${orderId}::uuid)
        AND other.order_id <> ${orderId}::uuid AND other.key IS NULL AND other.relation = ${relation}
        AND other.until > now())`;
  }

  /** Deletes sealed rows for good: those of an order, or those that a condition names. */
  async burn(tx: Writer, which: string | Sql): Promise<void> {
    const where = typeof which === 'string' ? sql`order_id = ${which}::uuid` : which;
    await tx.$executeRaw`DELETE FROM ${this.table} WHERE ${where}`;
  }

  /** Begins to delete sealed rows as soon as their order can't be undone any more. */
  start(): void {
    this.burning.start();
  }

  stop(): Promise<void> {
    return this.burning.stop();
  }

  private burnDue(): Promise<Date | null> {
    return this.database.write('system', async (tx) => {
      const [, [left]] = await Promise.all([
        tx.$executeRaw`DELETE FROM ${this.table} WHERE until <= now()`,
        tx.$queryRaw<{ next: Date | null }[]>`SELECT min(until) AS next FROM ${this.table}`,
      ]);
      return left?.next ?? null;
    });
  }
}

/** Makes the condition that a sealed row is of this order, and can still be put back. */
function heldBy(orderId: string, relation: string): Sql {
  return sql`sealed.order_id = ${orderId}::uuid AND sealed.relation = ${relation} AND sealed.until > now()`;
}
