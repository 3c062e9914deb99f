import type { HandledEntry, JobDone, WatchedQueue } from '@kith/messaging';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Seconds; from a round trip in memory to a slow model. */
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Counts and times what a service handles, by pattern and outcome, and what waits for it. */
export function observeHandling(register: Registry): {
  message: (handled: HandledEntry) => void;
  job: (done: JobDone) => void;
  queue: (queue: WatchedQueue) => void;
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
  const waiting = new Gauge({
    name: 'kith_jobs_waiting',
    help: 'Jobs that are due and not taken',
    labelNames: ['pattern'],
    registers: [register],
  });
  const idle = new Gauge({
    name: 'kith_jobs_idle_seconds',
    help: 'How long jobs have been due while the worker, with room for more, took none',
    labelNames: ['pattern'],
    registers: [register],
  });
  const replaced = new Counter({
    name: 'kith_workers_replaced_total',
    help: 'Workers that took no jobs any more and were replaced',
    labelNames: ['pattern'],
    registers: [register],
  });
  return {
    message: ({ kind, pattern, outcome, tookMs }) =>
      messages.observe({ kind, pattern, outcome }, tookMs / 1_000),
    job: ({ pattern, outcome, tookMs }) => jobs.observe({ pattern, outcome }, tookMs / 1_000),
    queue: (queue) => {
      const { pattern } = queue;
      waiting.set({ pattern }, queue.waiting);
      idle.set({ pattern }, queue.waiting === 0 ? 0 : queue.idleMs / 1_000);
      if (queue.replaced) replaced.inc({ pattern });
    },
  };
}
