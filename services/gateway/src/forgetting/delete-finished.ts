import type { Database } from '@kith/database';

/** Days for which finished orders stay: outreach that was called off may still come out of a delayed queue. */
const KEEP_ORDERS_DAYS = 7;
/** Days for which those stay that are carried out again on the rows of a backup: few put back an older one. */
const KEEP_FOR_BACKUPS_DAYS = 90;

/** Deletes sealed lines whose undo is over, and old orders. Returns when the next seal ends, null where there is none. */
export function deleteFinished(database: Database): Promise<Date | null> {
  return database.write('system', async (tx) => {
    const [, , [left]] = await Promise.all([
      tx.$executeRaw`DELETE FROM sealed_lines WHERE until <= now()`,
      tx.$executeRaw`
        DELETE FROM forget_orders
        WHERE finished_at < now() - CASE WHEN reason IN ('forgotten', 'deleted') THEN ${KEEP_FOR_BACKUPS_DAYS}::int
          ELSE ${KEEP_ORDERS_DAYS}::int END * interval '1 day'`,
      tx.$queryRaw<{ next: Date | null }[]>`SELECT min(until) AS next FROM sealed_lines`,
    ]);
    return left?.next ?? null;
  });
}
