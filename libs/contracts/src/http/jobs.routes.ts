import { z } from 'zod';
import { JobAction, RecurringJobName, RecurringJobView } from '../rpc/jobs.contract.js';
import { get, post, type Routes } from './route.js';

export const JobList = z.object({ jobs: z.array(RecurringJobView) });

export const jobRoutes = {
  list: get('/v1/jobs', 'admin', {
    summary: 'Recurring jobs: the last run, how it ended, and the next one',
    answer: JobList,
  }),
  steer: post('/v1/jobs/{name}/{action}', 'admin', {
    summary: 'Hold a job (pause), let it go on (resume), or have it run now (run)',
    params: z.strictObject({ name: RecurringJobName, action: JobAction }),
    answer: RecurringJobView,
  }),
} satisfies Routes;
