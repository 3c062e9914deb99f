import { firstOf } from '@kith/contracts';
import { sql, type Sql } from '../sql/sql.js';
import type { Reader } from '../transactions/transaction.js';

/** Time by which the clocks of a process and of Postgres may differ. */
const CLOCK_SKEW_MS = 10_000;

const LATEST = sql`now() + ${CLOCK_SKEW_MS} * interval '1 millisecond'`;

/** Reads the latest time that can have been noted by Postgres' clock, or a little ahead of it. */
export async function latestTime(tx: Reader): Promise<Date> {
  return firstOf(await tx.$queryRaw<{ at: Date }[]>`SELECT ${LATEST} AS at`).at;
}

/**
 * Matches rows whose time lies ahead of Postgres' clock: it was noted before a clock was set back, and would have to be
 * waited for.
 */
export function liesAhead(time: Sql): Sql {
  return sql`${time} > ${LATEST}`;
}

/** Matches rows whose time lies so long ago by Postgres' clock, or ahead of it. */
export function isOverdue(time: Sql, ageMs: number): Sql {
  return sql`(${time} < now() - ${ageMs} * interval '1 millisecond' OR ${liesAhead(time)})`;
}
