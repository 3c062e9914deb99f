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
import type { NightRecords } from './night-records.js';

/** Something that recurs, and what it does. */
export interface RecurringJob {
  /** What it is for, for the operator. */
  what: string;
  recurrence: Recurrence;
  /** When it comes up, for the operator, where the recurrence only says when it is looked for. */
  schedule?: string;
  /** Safe to repeat, and to be broken off. */
  work: (run: Run) => Promise<void>;
}

/** One run of what recurs. */
export interface Run {
  now: Date;
  /** An operator asked for it. */
  asked: boolean;
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
    private readonly records: { jobs: JobRecords; nights: Pick<NightRecords, 'latestDone'> },
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
  async run({ name, asked }: PayloadOutput<typeof jobsContract.recur>, now: Date): Promise<void> {
    const known = await this.records.jobs.of(name);
    if (known?.paused && !asked) return;
    await this.database.withLock(`jobs.${name}`, async () => {
      const started = performance.now();
      const error = await this.jobs[name].work({ now, asked }).then(
        () => null,
        (thrown: unknown) => thrown ?? new Error('nothing was said'),
      );
      const durationMs = Math.round(performance.now() - started);
      await this.records.jobs.ended(name, {
        startedAt: now,
        durationMs,
        error: error === null ? null : wordsOf(error),
      });
      this.#runs.inc({ job: name, outcome: error === null ? 'ok' : 'failed' });
      if (error !== null) throw error;
      this.#lastOk.set({ job: name }, Date.now() / 1_000);
    });
  }

  async list(): Promise<RecurringJobView[]> {
    const [rows, days] = await Promise.all([this.records.jobs.all(), this.records.nights.latestDone()]);
    return Promise.all(
      RecurringJobName.options.map((name) => this.#view(name, rows.get(name), days.get(name) ?? null)),
    );
  }

  /** Holds a job, lets it go on, or has it run now. */
  async steer({ name, action }: RequestOutput<typeof jobsContract.steer>): Promise<RecurringJobView> {
    if (action === 'run') await this.messenger.enqueue(jobsContract.recur, { name, asked: true });
    else await this.records.jobs.hold(name, action === 'pause');
    const lastDay = (await this.records.nights.latestDone()).get(name) ?? null;
    return this.#view(name, (await this.records.jobs.of(name)) ?? undefined, lastDay);
  }

  async #view(
    name: RecurringJobName,
    row: RecurringJobModel | undefined,
    lastDay: string | null,
  ): Promise<RecurringJobView> {
    const { what, recurrence, schedule } = this.jobs[name];
    const next = await this.messenger.nextRunOf(jobsContract.recur, { name });
    return {
      ...{ name, what, paused: row?.paused ?? false },
      schedule: schedule ?? wordsOfRecurrence(recurrence),
      lastStartedAt: row?.lastStartedAt?.toISOString() ?? null,
      lastDurationMs: row?.lastDurationMs ?? null,
      lastOutcome: row?.lastOutcome === 'ok' || row?.lastOutcome === 'failed' ? row.lastOutcome : null,
      lastError: row?.lastError ?? null,
      lastDay,
      nextRunAt: next?.toISOString() ?? null,
    };
  }
}

function wordsOfRecurrence(recurrence: Recurrence): string {
  return 'everyMs' in recurrence
    ? `every ${recurrence.everyMs / 1_000} s`
    : `${recurrence.cron} (${recurrence.timeZone})`;
}

function wordsOf(error: unknown): string {
  const words = error instanceof AppError ? `${error.code}: ${error.message}` : String(error);
  return words.slice(0, MAX_ERROR_CHARACTERS);
}
