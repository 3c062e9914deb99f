import { jobRoutes, RecurringJobName, type JobAction, type RecurringJobView } from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { minuteOf } from '../terminal/value-words.js';

type View = z.output<typeof RecurringJobView>;

/** Lists recurring jobs: the last run, how it ended, and the next check whether one is due. */
export async function listJobs({ api, terminal }: CommandContext, asJson: boolean): Promise<void> {
  const { jobs } = await api.call(jobRoutes.list);
  if (asJson) return terminal.json(jobs);
  terminal.table(jobs, [
    { header: 'job', value: ({ name }) => name },
    { header: 'state', value: stateOf },
    { header: 'last run', value: ({ lastStartedAt }) => timeOrNone(lastStartedAt) },
    {
      header: 'took',
      value: ({ lastDurationMs }) => (lastDurationMs === null ? '-' : `${lastDurationMs} ms`),
      align: 'right',
    },
    { header: 'done until', value: ({ lastDay }) => lastDay ?? '-' },
    { header: 'next look', value: ({ nextRunAt }) => timeOrNone(nextRunAt) },
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
  const job = await api.call(jobRoutes.steer, { params: { name: known.data, action } });
  terminal.line(
    action === 'run' ? `${name} runs now; kith jobs shows how it ended` : `${name}: ${stateOf(job)}`,
  );
}

function stateOf({ paused, lastOutcome, lastError }: View): string {
  if (paused) return 'held';
  if (lastOutcome === 'failed') return `failed: ${lastError ?? 'unknown'}`;
  return lastOutcome ?? 'not run yet';
}

function timeOrNone(time: string | null): string {
  return time === null ? '-' : minuteOf(time);
}
