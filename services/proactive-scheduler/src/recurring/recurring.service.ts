import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import {
  AppError,
  jobsContract,
  RecurringJobName,
  type PayloadOutput,
  type RecurringJobView,
  type RequestOutput,
} from '@kith/contracts';
import type { Database, RecurringJobModel } from '@kith/database';
import type { Messenger, Recurrence } from '@kith/messaging';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { JobRecords } from './job-records.js';
import { nightsDue } from './nights-due.js';

/** Something that recurs, and what it does. */
export interface RecurringJob {
  /** What it is for, for the operator. */
  what: string;
  recurrence: Recurrence;
  /** Safe to repeat, and to be broken off. */
  work:
    | { kind: 'round'; run: (now: Date) => Promise<void> }
    /** Once for each day that is over; days that were missed come first. */
    | { kind: 'night'; timeZone: string; run: (day: string) => Promise<void> };
}

// What an operator's table shows of an error; the log has the whole.
const MAX_ERROR_CHARACTERS = 300;

/** Sees to it that what recurs does, one replica at a time, and knows how it went. */
@Injectable()
export class RecurringService implements OnApplicationBootstrap {
  readonly #runs: Counter;
  readonly #lastOk: Gauge;

  constructor(
    private readonly jobs: Readonly<Record<RecurringJobName, RecurringJob>>,
    private readonly records: JobRecords,
    private readonly database: Pick<Database, 'withLock'>,
    private readonly messenger: Pick<Messenger, 'schedule' | 'enqueue' | 'nextRunOf'>,
    metrics: Registry,
  ) {
    this.#runs = new Counter({
      name: 'kith_recurring_job_runs_total',
      help: 'Runs of what recurs, by job and how they ended',
      labelNames: ['job', 'outcome'],
      registers: [metrics],
    });
    this.#lastOk = new Gauge({
      name: 'kith_recurring_job_last_ok_timestamp_seconds',
      help: 'When a recurring job last ended well here, by job',
      labelNames: ['job'],
      registers: [metrics],
    });
  }

  /** In Redis each recurs once, however many replicas do this. */
  onApplicationBootstrap(): void {
    for (const name of RecurringJobName.options) {
      this.messenger.schedule(jobsContract.recur, { name }, this.jobs[name].recurrence);
    }
  }

  /**
   * One run. A job that is held does nothing, unless it was asked for; one that another replica is at is left to it.
   * @throws what the work threw, once that is noted: the job is tried again
   */
  async run({ name, day, asked }: PayloadOutput<typeof jobsContract.recur>, now: Date): Promise<void> {
    const known = await this.records.of(name);
    if (known?.paused && !asked && day === undefined) return;
    await this.database.withLock(`jobs.${name}`, async () => {
      const started = performance.now();
      const error = await this.#work(name, day, now).then(
        () => null,
        (thrown: unknown) => thrown ?? new Error('nothing was said'),
      );
      const durationMs = Math.round(performance.now() - started);
      await this.records.ended(name, {
        startedAt: now,
        durationMs,
        error: error === null ? null : wordsOf(error),
      });
      this.#runs.inc({ job: name, outcome: error === null ? 'ok' : 'failed' });
      if (error !== null) throw error;
      this.#lastOk.set({ job: name }, Date.now() / 1_000);
    });
  }

  async #work(name: RecurringJobName, day: string | undefined, now: Date): Promise<void> {
    const { work } = this.jobs[name];
    if (work.kind === 'round') return work.run(now);
    if (day !== undefined) return work.run(day);
    const lastDay = (await this.records.of(name))?.lastDay?.toISOString().slice(0, 10) ?? null;
    for (const night of nightsDue(lastDay, now, work.timeZone)) {
      await work.run(night);
      await this.records.doneWith(name, night);
    }
  }

  async list(): Promise<RecurringJobView[]> {
    const rows = await this.records.all();
    return Promise.all(RecurringJobName.options.map((name) => this.#view(name, rows.get(name))));
  }

  /** Holds a job, lets it go on, or has it run now. */
  async steer({ name, action }: RequestOutput<typeof jobsContract.steer>): Promise<RecurringJobView> {
    if (action === 'run') await this.messenger.enqueue(jobsContract.recur, { name, asked: true });
    else await this.records.hold(name, action === 'pause');
    return this.#view(name, (await this.records.of(name)) ?? undefined);
  }

  async #view(name: RecurringJobName, row: RecurringJobModel | undefined): Promise<RecurringJobView> {
    const { what, recurrence } = this.jobs[name];
    const next = await this.messenger.nextRunOf(jobsContract.recur, { name });
    return {
      ...{ name, what, paused: row?.paused ?? false },
      schedule:
        'everyMs' in recurrence
          ? `every ${recurrence.everyMs / 1_000} s`
          : `${recurrence.cron} (${recurrence.timeZone})`,
      lastStartedAt: row?.lastStartedAt?.toISOString() ?? null,
      lastDurationMs: row?.lastDurationMs ?? null,
      lastOutcome: row?.lastOutcome === 'ok' || row?.lastOutcome === 'failed' ? row.lastOutcome : null,
      lastError: row?.lastError ?? null,
      lastDay: row?.lastDay?.toISOString().slice(0, 10) ?? null,
      nextRunAt: next?.toISOString() ?? null,
    };
  }
}

function wordsOf(error: unknown): string {
  const words = error instanceof AppError ? `${error.code}: ${error.message}` : String(error);
  return words.slice(0, MAX_ERROR_CHARACTERS);
}
