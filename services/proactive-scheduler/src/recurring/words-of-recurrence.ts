import type { Recurrence } from '@kith/messaging';

/** Says in words how often a job runs. */
export function wordsOfRecurrence(recurrence: Recurrence): string {
  return 'everyMs' in recurrence
    ? `every ${recurrence.everyMs / 1_000} s`
    : `${recurrence.cron} (${recurrence.timeZone})`;
}
