import {
  AppError,
  isErased,
  jobsContract,
  present,
  RecurringJobName,
  type PayloadOutput,
  type RecurringJobView,
  type RequestOutput,
  HOUR_MS,
} from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Messenger, Recurrence } from '@kith/messaging';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { JobRecords } from './job-records.js';
import type { NightRecords } from './night-records.js';

export interface RecurringJob {
  /** Its purpose, in words for the operator. */
  what: string;
  recurrence: Recurrence;
  /** Its schedule, in words for the operator, where the recurrence only says when it is checked. */
  schedule?: string;
  /** Tells whether a check is to become a run; without it each is. `lastOkAt`: the last run that went well. */
  isDue?: (lastOkAt: Date | null, now: Date) => boolean;
  /** Does the job. Safe to repeat, and to be broken off. Throws that somebody was erased where all else is done. */
  work: (run: Run) => Promise<void>;
}

export interface Run {
  now: Date;
  /** An operator asked for it. */
  asked: boolean;
}

// Jobs of earlier versions, whose schedules Redis may still hold.
const RETIRED = ['sweep'];
// What an operator's table shows of an error; the log has the whole.
const MAX_ERROR_CHARACTERS = 300;

/** Schedules and runs the recurring jobs, each on one replica at a time, and notes how each run ended. */
export class JobRunner {
  private readonly runs: Counter;
  private readonly lastOk: Gauge;

  constructor(
    private readonly jobs: Readonly<Record<RecurringJobName, RecurringJob>>,
    private readonly records: { jobs: JobRecords; nights: Pick<NightRecords, 'latestDone'> },
    private readonly database: Database,
    private readonly messenger: Pick<Messenger, 'schedule' | 'enqueue' | 'jobs'>,
    metrics: Registry,
  ) {
    this.runs = new Counter({
      name: 'kith_recurring_job_runs_total',
      help: 'Runs of recurring jobs, by job and outcome',
      labelNames: ['job', 'outcome'],
      registers: [metrics],
    });
    this.lastOk = new Gauge({
      name: 'kith_recurring_job_last_ok_timestamp_seconds',
      help: 'When a recurring job last ended well here, by job',
      labelNames: ['job'],
      registers: [metrics],
    });
  }

  /** Schedules every job. In Redis each recurs once, however many replicas do this. */
  start(): void {
    for (const name of RecurringJobName.options) {
      this.messenger.schedule(jobsContract.recur, { name }, this.jobs[name].recurrence);
    }
    // Without Redis the next start ends them.
    for (const id of RETIRED)
      void this.messenger.jobs.unschedule(jobsContract.recur, id).catch(() => undefined);
  }

  /**
   * Runs a job once. One that is held or not due does nothing, unless it was asked for; one that another replica is
   * running is left to it.
   * @throws the error of the work, once it is noted: the job is tried again
   */
  async run({ name, asked }: PayloadOutput<typeof jobsContract.recur>, now: Date): Promise<void> {
    const known = (await this.records.jobs.all()).get(name);
    const isDue = this.jobs[name].isDue?.(known?.lastOkAt ?? null, now) ?? true;
    if (!asked && (known?.paused || !isDue)) return;
    await this.database.withLock(`jobs.${name}`, async () => {
      const started = performance.now();
      const error = await this.jobs[name].work({ now, asked }).then(
        () => null,
        (thrown: unknown) => {
          // A person who was erased meanwhile is not a failure.
          if (isErased(thrown)) return null;
          return thrown instanceof Error ? thrown : new Error(String(thrown));
        },
      );
      const durationMs = Math.round(performance.now() - started);
      await this.records.jobs.ended(name, now, durationMs, error && wordsOf(error));
      this.runs.inc({ job: name, outcome: error === null ? 'ok' : 'failed' });
      if (error !== null) throw error;
      this.lastOk.set({ job: name }, Date.now() / 1_000);
    });
  }

  async list(): Promise<RecurringJobView[]> {
    const [rows, days] = await Promise.all([this.records.jobs.all(), this.records.nights.latestDone()]);
    return Promise.all(
      RecurringJobName.options.map(async (name) => {
        const { what, recurrence, schedule } = this.jobs[name];
        const row = rows.get(name);
        const next = await this.messenger.jobs.nextRunOf(jobsContract.recur, { name });
        return {
          name,
          what,
          paused: row?.paused ?? false,
          schedule: schedule ?? describeInterval(recurrence.everyMs),
          lastStartedAt: row?.lastStartedAt?.toISOString() ?? null,
          lastDurationMs: row?.lastDurationMs ?? null,
          lastOutcome: row?.lastOutcome === 'ok' || row?.lastOutcome === 'failed' ? row.lastOutcome : null,
          lastError: row?.lastError ?? null,
          lastDay: days.get(name) ?? null,
          nextRunAt: next?.toISOString() ?? null,
        };
      }),
    );
  }

  /** Holds a job, lets it go on, or has it run now. */
  async steer({ name, action }: RequestOutput<typeof jobsContract.steer>): Promise<RecurringJobView> {
    if (action === 'run') await this.messenger.enqueue(jobsContract.recur, { name, asked: true });
    else await this.records.jobs.hold(name, action === 'pause');
    return present((await this.list()).find((job) => job.name === name));
  }
}

function wordsOf(error: unknown): string {
  const words = error instanceof AppError ? `${error.code}: ${error.message}` : String(error);
  return words.slice(0, MAX_ERROR_CHARACTERS);
}

const UNITS = [
  ['h', HOUR_MS],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Words an interval in the largest unit that it is a whole number of: `every 6 h`. */
export function describeInterval(everyMs: number): string {
  const [unit, ms] = UNITS.find(([, size]) => everyMs % size === 0) ?? ['s', 1_000];
  return `every ${everyMs / ms} ${unit}`;
}
