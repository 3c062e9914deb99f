import { z } from 'zod';
import { IsoDay, IsoTime } from '../time/iso-time.js';
import { defineJob, defineRequest } from './define.js';
import { CompanionId, PersonId } from '../values/words.js';

export const RecurringJobName = z.enum([
  'outreach',
  'interests',
  'consolidation',
  'reflection',
  'heartbeat',
  'tasks',
  'retention',
]);
export type RecurringJobName = z.infer<typeof RecurringJobName>;

export const RecurringJobView = z.object({
  name: RecurringJobName,
  what: z.string(),
  /** When it comes up: `every 5 min`, an hour with its zone, or an hour of each companion's night. */
  schedule: z.string(),
  paused: z.boolean(),
  lastStartedAt: IsoTime.nullable(),
  lastDurationMs: z.number().int().nullable(),
  lastOutcome: z.enum(['ok', 'failed']).nullable(),
  lastError: z.string().nullable(),
  /** Latest day that a nightly job is done with for some companion. */
  lastDay: IsoDay.nullable(),
  /** Next check whether it is due, maybe long before its schedule; null while Redis has lost it, a minute at most. */
  nextRunAt: IsoTime.nullable(),
});
export type RecurringJobView = z.infer<typeof RecurringJobView>;

export const JobAction = z.enum(['pause', 'resume', 'run']);

export const jobsContract = {
  list: defineRequest('jobs.list', {
    request: z.object({}),
    response: z.object({ jobs: z.array(RecurringJobView) }),
  }),
  /** Holds a job, lets it go on, or has it run now, held or not. */
  steer: defineRequest('jobs.steer', {
    request: z.object({ name: RecurringJobName, action: JobAction }),
    response: RecurringJobView,
  }),
  /** One run of what recurs. With `asked` it runs though it is held, and a nightly one takes each day that is over. */
  recur: defineJob('jobs.recur', {
    payload: z.object({ name: RecurringJobName, asked: z.boolean().default(false) }),
    idOf: ({ name, asked }) => (asked ? `${name}-asked` : name),
  }),
  /** Day of a person whose summary was lost with a change, or lacks what was stored late: memory sums it up again. */
  consolidateAgain: defineJob('jobs.consolidate-again', {
    payload: z.object({ personId: PersonId, companionId: CompanionId, at: IsoTime }),
    idOf: ({ personId, companionId, at }) => `${personId}-${companionId}-${Date.parse(at)}`,
  }),
};
