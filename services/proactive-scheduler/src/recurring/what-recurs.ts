import { gatewayContract, type RecurringJobName } from '@kith/contracts';
import type { TurnLedger } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { InterestsService } from '../outreach/interests.service.js';
import type { OutreachRecords } from '../outreach/outreach-records.js';
import type { OutreachService } from '../outreach/outreach.service.js';
import { orderConsolidation, orderHeartbeats, orderReflection } from './night-orders.js';
import type { RecurringJob } from './recurring.service.js';

/** When what recurs comes up. */
export interface Schedules {
  timeZone: string;
  outreach: { scanEveryMs: number; keepDays: number };
  night: { cron: string };
}

interface Parts {
  outreach: OutreachService;
  interests: InterestsService;
  records: OutreachRecords;
  ledger: TurnLedger;
  messenger: Pick<Messenger, 'ask' | 'enqueue'>;
}

// People live in all zones: whoever opts in is thought of within hours.
const INTERESTS_EVERY_MS = 6 * 3_600_000;
// The gateway's own rounds are seconds apart: this one is for a gateway whose rounds stand still.
const SWEEP_EVERY_MS = 5 * 60_000;
// After the nights, which may take long.
const RETENTION_CRON = '40 5 * * *';
const DAY_MS = 24 * 3_600_000;

/** All that recurs in a suite, by name. */
export function whatRecurs(
  { timeZone, outreach, night }: Schedules,
  parts: Parts,
): Record<RecurringJobName, RecurringJob> {
  const nightly = { cron: night.cron, timeZone };
  return {
    outreach: {
      what: 'decides whom to write to first',
      recurrence: { everyMs: outreach.scanEveryMs },
      work: { kind: 'round', run: (now) => parts.outreach.scan(now) },
    },
    interests: {
      what: 'looks for something of people’s own to ask them about',
      recurrence: { everyMs: INTERESTS_EVERY_MS },
      work: { kind: 'round', run: (now) => parts.interests.look(now) },
    },
    consolidation: {
      what: 'has memory merge the day and sum it up',
      recurrence: nightly,
      work: { kind: 'night', timeZone, run: (day) => orderConsolidation(parts.messenger, day) },
    },
    reflection: {
      what: 'has every companion reflect on the day',
      recurrence: nightly,
      work: { kind: 'night', timeZone, run: (day) => orderReflection(parts.messenger, day) },
    },
    heartbeat: {
      what: 'lets companions that think by themselves think over the day',
      recurrence: nightly,
      work: { kind: 'night', timeZone, run: (day) => orderHeartbeats(parts.messenger, day) },
    },
    sweep: {
      what: 'puts overdue messages and replies back to work',
      recurrence: { everyMs: SWEEP_EVERY_MS },
      work: { kind: 'round', run: () => parts.messenger.enqueue(gatewayContract.sweep, {}) },
    },
    retention: {
      what: 'lets go of old talk and outreach, and goes on with erasures that were broken off',
      recurrence: { cron: RETENTION_CRON, timeZone },
      work: {
        kind: 'round',
        run: async (now) => {
          await parts.ledger.prune();
          await parts.records.letGo(new Date(now.getTime() - outreach.keepDays * DAY_MS));
          await parts.messenger.enqueue(gatewayContract.retain, {});
        },
      },
    },
  };
}
