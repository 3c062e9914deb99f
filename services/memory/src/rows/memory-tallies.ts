import { lockUntilEnd, type Database, type Reader } from '@kith/database';

/**
 * Reads the counts that triggers on the rows keep, so that it costs the same however many memories there are, with the
 * changes that are not added up yet.
 */
export async function readTallies(reader: Reader) {
  const rows = await reader.$queryRaw<{ name: string; count: number }[]>`
    SELECT name, sum(count)::float8 AS count FROM (
      SELECT name, count FROM memory_tallies UNION ALL SELECT name, change FROM memory_tally_changes
    ) AS told GROUP BY name`;
  const counts = new Map(rows.map(({ name, count }) => [name, count]));
  const countOf = (name: string) => counts.get(name) ?? 0;
  return {
    open: countOf('open'),
    /** Counts memories that are marked as indexed in a space. */
    indexedIn: (space: string) => countOf(`indexed:${space}`),
    /** Counts points of the exact index in a space. */
    pointsIn: (space: string) => countOf(`points:${space}`),
  };
}

/** Adds up the changes that writers noted since the last time. One process at a time does this, or `countAnew`. */
export async function addUpTallies(database: Database): Promise<void> {
  await database.write('system', async (tx) => {
    await Promise.all([
      lockUntilEnd(tx, 'memory_tallies'),
      tx.$executeRaw`
        WITH noted AS (DELETE FROM memory_tally_changes RETURNING name, change)
        INSERT INTO memory_tallies AS held (name, count) SELECT name, sum(change) FROM noted GROUP BY name
        ON CONFLICT (name) DO UPDATE SET count = held.count + excluded.count`,
    ]);
  });
}

/** Counts everything anew, which reads every row. */
export async function countAnew(database: Database): Promise<void> {
  await database.writer('system').$queryRaw`SELECT kith_count_memories()`;
}
