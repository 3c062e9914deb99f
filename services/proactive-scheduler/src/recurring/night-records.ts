import type { RecurringJobName } from '@kith/contracts';
import { lockUntilEnd, rawSql, type Database } from '@kith/database';
import { type CalendarDay, MAX_NIGHTS } from './nights-due.js';

/** A day as text: as a `Date` it would be midnight in this process's own zone. */
const DAY = rawSql(`day::text AS day, begins_at AS "from", ends_at AS "to"`);

/** Each companion's calendar, and how far each nightly job is in it. It is about no person. */
export class NightRecords {
  constructor(private readonly database: Database) {}

  /**
   * Enters days into a companion's calendar, as `plan` makes them from its last day, and returns the latest days, the
   * oldest first. Days that are not over were entered by a clock that was ahead: neither they nor the nights over them
   * count until they come. Locked by companion: days that two processes enter at once would not adjoin.
   */
  enter(companionId: string, now: Date, plan: (last: CalendarDay | null) => CalendarDay[]) {
    return this.database.write('system', async (tx) => {
      const [, latest] = await Promise.all([
        lockUntilEnd(tx, `calendar:${companionId}`),
        tx.$queryRaw<CalendarDay[]>`
          SELECT ${DAY} FROM companion_days WHERE companion_id = ${companionId} AND ends_at <= ${now}
          ORDER BY companion_days.day DESC LIMIT ${MAX_NIGHTS}`,
      ]);
      const known = latest.toReversed();
      const last = known.at(-1) ?? null;
      const entered = plan(last);
      const [first] = entered;
      if (first)
        await tx.$executeRaw`
          INSERT INTO companion_days (companion_id, day, begins_at, ends_at)
          SELECT ${companionId}, day, begins_at, ends_at
          FROM unnest(${entered.map(({ day }) => day)}::date[], ${entered.map(({ from }) => from)}::timestamptz[],
            ${entered.map(({ to }) => to)}::timestamptz[]) AS entered (day, begins_at, ends_at)
          ON CONFLICT (companion_id, day) DO UPDATE SET begins_at = excluded.begins_at, ends_at = excluded.ends_at`;
      if (first && last)
        await tx.$executeRaw`
          UPDATE companion_nights SET last_day = ${last.day}::date
          WHERE companion_id = ${companionId} AND last_day >= ${first.day}::date`;
      return [...known, ...entered].slice(-MAX_NIGHTS);
    });
  }

  /** The day that a moment counts to; null when that is not over yet. */
  async dayOf(companionId: string, at: Date): Promise<CalendarDay | null> {
    const [day] = await this.database.reader('system').$queryRaw<CalendarDay[]>`
      SELECT ${DAY} FROM companion_days
      WHERE companion_id = ${companionId} AND begins_at <= ${at} AND ends_at > ${at} LIMIT 1`;
    return day ?? null;
  }

  /** The last day of a companion's that a job is done with. */
  async lastDone(job: RecurringJobName, companionId: string): Promise<string | null> {
    const [row] = await this.database.reader('system').$queryRaw<{ day: string }[]>`
      SELECT last_day::text AS day FROM companion_nights WHERE job = ${job} AND companion_id = ${companionId}`;
    return row?.day ?? null;
  }

  async doneWith(job: RecurringJobName, companionId: string, day: string): Promise<void> {
    await this.database.writer('system').$executeRaw`
      INSERT INTO companion_nights (job, companion_id, last_day) VALUES (${job}, ${companionId}, ${day}::date)
      ON CONFLICT (job, companion_id) DO UPDATE SET last_day = excluded.last_day`;
  }

  /** The latest day that each nightly job is done with for some companion, by name. */
  async latestDone(): Promise<Map<string, string>> {
    const rows = await this.database.reader('system').$queryRaw<{ job: string; day: string }[]>`
      SELECT job, max(last_day)::text AS day FROM companion_nights GROUP BY job`;
    return new Map(rows.map(({ job, day }) => [job, day]));
  }
}
