import { columnOf } from '../transactions/column-of.js';
import type { Database } from '../database/database.js';
import type { Reader } from '../transactions/transaction.js';
import { rawSql, type Sql } from '../sql/sql.js';

/** Time for which the list counts as fresh: another process may have changed it. */
const FRESH_MS = 10_000;

/**
 * A service's own list of the audiences whose place the app was removed from. While an audience is listed, what was said
 * there is told nowhere else. The app's return takes it off the list; otherwise it goes with what was said there.
 */
export class LeftPlaces {
  private readonly table: Sql;
  private known: { audiences: Promise<string[]>; until: number } | undefined;

  constructor(
    private readonly database: Database,
    table: 'left_places' | 'personality_left_places' | 'outreach_left_places',
  ) {
    this.table = rawSql(table);
  }

  /** Notes that the app was removed from these, or is back. Safe to repeat. */
  async note(audiences: readonly string[], left: boolean): Promise<void> {
    await this.database.write('system', (tx) =>
      left
        ? tx.$executeRaw`
            INSERT INTO ${this.table} (audience) SELECT unnest(${[...audiences]}::text[]) ON CONFLICT DO NOTHING`
        : tx.$executeRaw`DELETE FROM ${this.table} WHERE audience = ANY (${[...audiences]}::text[])`,
    );
    this.known = undefined;
  }

  /** All of them. */
  read(tx: Reader): Promise<string[]> {
    return columnOf(tx)`SELECT audience FROM ${this.table}`;
  }

  /** All of them as of late, mostly without a round trip: for a search whose rows are checked when they are read. */
  ofLate(): Promise<string[]> {
    if (this.known && this.known.until > performance.now()) return this.known.audiences;
    const known = {
      audiences: this.read(this.database.reader('system')),
      until: performance.now() + FRESH_MS,
    };
    known.audiences.catch(() => {
      if (this.known === known) this.known = undefined;
    });
    this.known = known;
    return known.audiences;
  }
}
