import { z } from 'zod';
import { JobAction, RecurringJobName, RecurringJobView } from '../rpc/jobs.contract.js';
import type { Routes } from './route.js';

export const JobList = z.object({ jobs: z.array(RecurringJobView) });

export const jobRoutes = {
  list: {
    method: 'GET',
    path: '/v1/jobs',
    scope: 'admin',
    summary: 'Recurring jobs: the last run, how it ended, and the next one',
    answer: JobList,
  },
  steer: {
    method: 'POST',
    path: '/v1/jobs/{name}/{action}',
    scope: 'admin',
    summary: 'Hold a job (pause), let it go on (resume), or have it run now (run)',
    params: z.strictObject({ name: RecurringJobName, action: JobAction }),
    answer: RecurringJobView,
  },
} as const satisfies Routes;
