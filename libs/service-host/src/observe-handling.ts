import type { Handled, JobDone } from '@kith/messaging';
import { Histogram, type Registry } from 'prom-client';

/** Seconds; from a round trip in memory to a slow model. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Counts and times what a service handles, by pattern and outcome. */
export function observeHandling(register: Registry): {
  message: (handled: Handled) => void;
  job: (done: JobDone) => void;
} {
  const messages = new Histogram({
    name: 'kith_message_duration_seconds',
    help: 'Time to handle a request or an event',
    labelNames: ['kind', 'pattern', 'outcome'],
    buckets: BUCKETS,
    registers: [register],
  });
  const jobs = new Histogram({
    name: 'kith_job_duration_seconds',
    help: 'Time of one try of a job',
    labelNames: ['pattern', 'outcome'],
    buckets: BUCKETS,
    registers: [register],
  });
  return {
    message: ({ kind, pattern, outcome, tookMs }) =>
      messages.observe({ kind, pattern, outcome }, tookMs / 1_000),
    job: ({ pattern, outcome, tookMs }) => jobs.observe({ pattern, outcome }, tookMs / 1_000),
  };
}
