import { z } from 'zod';
import { defineJob, defineRequest } from './define.js';
import { IsoTime } from './words.js';

/** What recurs in a suite. */
export const RecurringJobName = z.enum([
  ...(['outreach', 'interests', 'consolidation', 'reflection', 'heartbeat', 'sweep', 'retention'] as const),
]);
export type RecurringJobName = z.infer<typeof RecurringJobName>;

export const RecurringJobView = z.object({
  name: RecurringJobName,
  what: z.string(),
  /** When it comes up: `every 60 s`, or a cron line with its zone. */
  schedule: z.string(),
  paused: z.boolean(),
  lastStartedAt: IsoTime.nullable(),
  lastDurationMs: z.number().int().nullable(),
  lastOutcome: z.enum(['ok', 'failed']).nullable(),
  lastError: z.string().nullable(),
  /** Of a nightly job: the last day it is done with. */
  lastDay: z.iso.date().nullable(),
  /** Null while Redis has lost it: it is put back within a minute. */
  nextRunAt: IsoTime.nullable(),
});
export type RecurringJobView = z.infer<typeof RecurringJobView>;

export const JobAction = z.enum(['pause', 'resume', 'run']);

export const jobsContract = {
  list: defineRequest('jobs.list', {
    request: z.object({}),
    response: z.object({ jobs: z.array(RecurringJobView) }),
    timeoutMs: 3_000,
  }),
  /** Holds a job, lets it go on, or has it run now, held or not. */
  steer: defineRequest('jobs.steer', {
    request: z.object({ name: RecurringJobName, action: JobAction }),
    response: RecurringJobView,
    timeoutMs: 3_000,
  }),
  /** One run of what recurs. `day`: a nightly job does this day and no other. `asked`: it runs though it is held. */
  recur: defineJob('jobs.recur', {
    payload: z.object({
      name: RecurringJobName,
      day: z.iso.date().optional(),
      asked: z.boolean().default(false),
    }),
    idOf: ({ name, day, asked }) => [name, ...(day ? [day] : []), ...(asked ? ['asked'] : [])].join('-'),
    concurrency: 4,
  }),
};
