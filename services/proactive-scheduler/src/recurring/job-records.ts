import type { RecurringJobName } from '@kith/contracts';
import type { Database, RecurringJobModel } from '@kith/database';

/** Recurring jobs in Postgres. They are about no person. */
export class JobRecords {
  constructor(private readonly database: Database) {}

  /** Every job that has run or was held, by name. */
  async all(): Promise<Map<string, RecurringJobModel>> {
    const rows = await this.database.reader('system').$queryRaw<RecurringJobModel[]>`
      SELECT name, paused, last_started_at AS "lastStartedAt", last_duration_ms AS "lastDurationMs",
        last_outcome AS "lastOutcome", last_error AS "lastError", last_ok_at AS "lastOkAt" FROM recurring_jobs`;
    return new Map(rows.map((row) => [row.name, row]));
  }

  async hold(name: RecurringJobName, paused: boolean): Promise<void> {
    await this.database.writer('system').$executeRaw`
      INSERT INTO recurring_jobs (name, paused) VALUES (${name}, ${paused})
      ON CONFLICT (name) DO UPDATE SET paused = excluded.paused`;
  }

  /** Notes the end of a run, with its error; null when all went well. */
  async ended(name: RecurringJobName, startedAt: Date, durationMs: number, error: string | null) {
    const isOk = error === null;
    await this.database.writer('system').$executeRaw`
      INSERT INTO recurring_jobs AS known
        (name, last_started_at, last_duration_ms, last_outcome, last_error, last_ok_at)
      VALUES (${name}, ${startedAt}, ${durationMs}, ${isOk ? 'ok' : 'failed'}, ${error}, ${isOk ? startedAt : null})
      ON CONFLICT (name) DO UPDATE SET last_started_at = excluded.last_started_at,
        last_duration_ms = excluded.last_duration_ms, last_outcome = excluded.last_outcome,
        last_error = excluded.last_error, last_ok_at = coalesce(excluded.last_ok_at, known.last_ok_at)`;
  }
}
