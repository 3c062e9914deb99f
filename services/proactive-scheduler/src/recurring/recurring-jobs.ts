import { DAY_MS, gatewayContract, HOUR_MS, type RecurringJobName } from '@kith/contracts';
import type { TurnLedger } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { InterestFinder } from '../noticing/interest-finder.js';
import type { OutreachRecords } from '../store/outreach-records.js';
import type { OutreachDispatcher } from '../sending/outreach-dispatcher.js';
import { orderConsolidation, orderHeartbeats, orderReflection } from './night-orders.js';
import { DueTaskOrders } from './due-task-orders.js';
import type { NightRunner } from './night-runner.js';
import type { RecurringJob, Run } from './job-runner.js';
import { DateTime } from 'luxon';

/** Settings of the times at which the recurring jobs come up. */
interface Schedules {
  timeZone: string;
  outreach: { scanEveryMs: number; keepDays: number };
  night: { at: string };
}

interface Parts {
  outreach: OutreachDispatcher;
  interests: InterestFinder;
  records: OutreachRecords;
  nights: NightRunner;
  ledger: TurnLedger;
  messenger: Pick<Messenger, 'ask' | 'enqueue'>;
}

// Often enough that whoever opts in is thought of within hours, in whatever zone they live.
const INTERESTS_EVERY_MS = 6 * HOUR_MS;
// It is night somewhere at any time. A night begins late by this much at most.
const NIGHTS_EVERY_MS = 5 * 60_000;
// A task is thought of an hour ahead, so a few minutes do not matter.
const TASKS_EVERY_MS = 5 * 60_000;
// When hardly anybody talks, in the suite's zone; later where the suite was down at that hour.
const RETENTION_AT = '05:40';
// Time between two checks for that hour: retention begins late by this much at most.
const RETENTION_EVERY_MS = 5 * 60_000;

/** Lists the recurring jobs of a suite, by name. */
export function recurringJobs(
  { timeZone, outreach, night }: Schedules,
  parts: Parts,
): Record<RecurringJobName, RecurringJob> {
  const nightly = (name: RecurringJobName, order: typeof orderHeartbeats) => ({
    recurrence: { everyMs: NIGHTS_EVERY_MS },
    schedule: `${night.at} of each companion’s night`,
    work: (run: Run) => parts.nights.run(name, run, (...night) => order(parts.messenger, ...night)),
  });
  const dueTasks = new DueTaskOrders(parts.messenger, parts.records);
  return {
    outreach: {
      what: 'decides whom to write to first',
      recurrence: { everyMs: outreach.scanEveryMs },
      work: ({ now }) => parts.outreach.scan(now),
    },
    interests: {
      what: 'looks for something of people’s own to ask them about',
      recurrence: { everyMs: INTERESTS_EVERY_MS },
      work: ({ now }) => parts.interests.findAll(now),
    },
    consolidation: {
      what: 'has memory merge the day and sum it up',
      ...nightly('consolidation', orderConsolidation),
    },
    reflection: { what: 'has every companion reflect on the day', ...nightly('reflection', orderReflection) },
    heartbeat: {
      what: 'lets companions that think by themselves think over the day',
      ...nightly('heartbeat', orderHeartbeats),
    },
    tasks: {
      what: 'lets companions think of tasks that come due',
      recurrence: { everyMs: TASKS_EVERY_MS },
      work: ({ now }) => dueTasks.order(now),
    },
    retention: {
      what: 'lets go of old talk and outreach, and goes on with erasures that were broken off',
      recurrence: { everyMs: RETENTION_EVERY_MS },
      schedule: `${RETENTION_AT} (${timeZone})`,
      isDue: (lastOkAt, now) => isDueToday(RETENTION_AT, lastOkAt, { timeZone, now }),
      work: async ({ now }) => {
        // First, so that a failure with outreach does not keep old talk from being deleted.
        await parts.messenger.enqueue(gatewayContract.retain, {});
        await parts.ledger.prune();
        await parts.records.letGo(new Date(now.getTime() - outreach.keepDays * DAY_MS));
      },
    },
  };
}

/**
 * Tells whether a daily job has not run since its hour, such as `05:40`, last came: also where nothing ran at that hour.
 * A job that never ran is due, and so is one whose last run is over a day in the future: it would wait till then.
 */
export function isDueToday(
  at: string,
  lastRun: Date | null,
  { timeZone, now }: { timeZone: string; now: Date },
): boolean {
  const local = DateTime.fromJSDate(now, { zone: timeZone });
  const today = DateTime.fromISO(`${local.toFormat('yyyy-MM-dd')}T${at}`, { zone: timeZone });
  const latest = today <= local ? today : today.minus({ days: 1 });
  const isAhead = lastRun !== null && lastRun > local.plus({ days: 1 }).toJSDate();
  return lastRun === null || isAhead || lastRun < latest.toJSDate();
}
