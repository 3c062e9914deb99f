import { JobAction, JobList, RecurringJobName, RecurringJobView } from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';

type View = z.output<typeof RecurringJobView>;

/** What recurs: when it ran last, how that ended, and when it comes next. */
export async function listJobs({ api, terminal }: CommandContext, asJson: boolean): Promise<void> {
  const { jobs } = await api.get('/v1/jobs', JobList);
  if (asJson) return terminal.json(jobs);
  terminal.table(jobs, [
    { header: 'job', value: ({ name }) => name },
    { header: 'state', value: stateOf },
    { header: 'last run', value: ({ lastStartedAt }) => minuteOf(lastStartedAt) },
    {
      header: 'took',
      value: ({ lastDurationMs }) => (lastDurationMs === null ? '-' : `${lastDurationMs} ms`),
      align: 'right',
    },
    { header: 'done until', value: ({ lastDay }) => lastDay ?? '-' },
    { header: 'next', value: ({ nextRunAt }) => minuteOf(nextRunAt) },
    { header: 'schedule', value: ({ schedule }) => schedule },
    { header: 'what', value: ({ what }) => what, flexible: true },
  ]);
}

/** Holds a job, lets it go on, or has it run now. */
export async function steerJob(
  { api, terminal }: CommandContext,
  action: z.output<typeof JobAction>,
  name: string,
): Promise<void> {
  const known = RecurringJobName.safeParse(name);
  if (!known.success)
    throw new CliError(`there is no job ${name}: choose one of ${RecurringJobName.options.join(', ')}`, 2);
  const job = await api.send('POST', `/v1/jobs/${known.data}/${action}`, {}, RecurringJobView);
  terminal.line(
    action === 'run' ? `${name} is ordered; kith jobs shows how it went` : `${name}: ${stateOf(job)}`,
  );
}

function stateOf({ paused, lastOutcome, lastError }: View): string {
  if (paused) return 'held';
  if (lastOutcome === 'failed') return `failed: ${lastError ?? 'unknown'}`;
  return lastOutcome ?? 'not run yet';
}

function minuteOf(time: string | null): string {
  return time === null ? '-' : time.slice(0, 16).replace('T', ' ');
}
