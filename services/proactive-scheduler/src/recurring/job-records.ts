import type { RecurringJobName } from '@kith/contracts';
import type { Database, RecurringJobModel } from '@kith/database';

/** How a run ended. */
export interface EndedRun {
  startedAt: Date;
  durationMs: number;
  /** Null when all went well. */
  error: string | null;
}

/** What recurs, in Postgres. It is about no person. */
export class JobRecords {
  constructor(private readonly database: Database) {}

  /** Every job that has run or was held, by name. */
  async all(): Promise<Map<string, RecurringJobModel>> {
    const rows = await this.database.asSystem((tx) => tx.recurringJob.findMany());
    return new Map(rows.map((row) => [row.name, row]));
  }

  async of(name: RecurringJobName): Promise<RecurringJobModel | null> {
    return this.database.asSystem((tx) => tx.recurringJob.findUnique({ where: { name } }));
  }

  async hold(name: RecurringJobName, paused: boolean): Promise<void> {
    await this.#write(name, { paused });
  }

  async ended(name: RecurringJobName, { startedAt, durationMs, error }: EndedRun): Promise<void> {
    await this.#write(name, {
      ...{ lastStartedAt: startedAt, lastDurationMs: durationMs, lastError: error },
      lastOutcome: error === null ? 'ok' : 'failed',
      ...(error === null ? { lastOkAt: startedAt } : {}),
    });
  }

  async #write(name: RecurringJobName, data: Partial<Omit<RecurringJobModel, 'name'>>): Promise<void> {
    await this.database.asSystem((tx) =>
      tx.recurringJob.upsert({ where: { name }, create: { name, ...data }, update: data }),
    );
  }
}
