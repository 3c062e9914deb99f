import { sql, type Sql } from './sql.js';

/** Time by which the clocks of a process and of Postgres may differ. */
const CLOCK_SKEW_MS = 10_000;

/**
 * Matches rows whose time lies so long ago by Postgres' clock. One that lies ahead counts as well: it was noted before a
 * clock was set back, and would have to be waited for.
 */
export function isOverdue(time: Sql, ageMs: number): Sql {
  return sql`(${time} < now() - ${ageMs} * interval '1 millisecond'
    OR ${time} > now() + ${CLOCK_SKEW_MS} * interval '1 millisecond')`;
}
