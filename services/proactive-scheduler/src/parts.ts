import { join } from 'node:path';
import { Database, LeftPlaces, PersonRows, SealedRows, TurnLedger } from '@kith/database';
import { ReadingThread } from '@kith/reading';
import type { Host, Token } from '@kith/service-host';
import type { Config } from './config.js';
import { InterestFinder } from './noticing/interest-finder.js';
import { ReasonIntake, type ReasonRules } from './noticing/reason-intake.js';
import { JobRecords } from './recurring/job-records.js';
import { JobRunner } from './recurring/job-runner.js';
import { NightRecords } from './recurring/night-records.js';
import { NightRunner } from './recurring/night-runner.js';
import { recurringJobs } from './recurring/recurring-jobs.js';
import { ZoneKeeper } from './recurring/zone-keeper.js';
import { OutreachDispatcher } from './sending/outreach-dispatcher.js';
import { TaskReminders } from './sending/task-reminders.js';
import { AttemptRecords } from './store/attempt-records.js';
import { ConsentRecords } from './store/consent-records.js';
import { ForgottenReasons } from './store/forgotten-reasons.js';
import { IntentionRecords } from './store/intention-records.js';
import { OutreachRecords } from './store/outreach-records.js';
import { defaultSettings } from './store/stored-settings.js';
import { TurnRecords } from './store/turn-records.js';

/** All parts of the scheduler, by name. */
export type Parts = ReturnType<typeof makeParts>;

/** Key under which its controller finds them. */
export const PARTS: Token<Parts> = Symbol('PARTS');

/** Tables with rows of people. */
const OF_PEOPLE = [
  'outreach_settings',
  'intentions',
  'outreach_attempts',
  'outreach_handled_turns',
  'outreach_sealed_rows',
];

/** Compiled rules: a thread runs no TypeScript. */
const RULES = join(import.meta.dirname, '../dist/reasons/read-turn.js');

/** Makes every part of the scheduler of those before it, from what stores to what acts. */
export function makeParts(config: Config, host: Host) {
  const { messenger, broadcasts, metrics, logger } = host;
  const defaults = defaultSettings(config.timeZone);
  const rules: ReasonRules = new ReadingThread(RULES);

  // What is stored.
  const database = new Database(config.database);
  const ledger = new TurnLedger(database, 'outreach_handled_turns');
  const left = new LeftPlaces(database, 'outreach_left_places');
  const sealed = new SealedRows(database, 'outreach_sealed_rows');
  const people = new PersonRows(database, OF_PEOPLE);
  const turns = new TurnRecords(database, ledger, defaults);
  const intentions = new IntentionRecords(database, ledger);
  const records = new OutreachRecords(database, left, defaults);
  const attempts = new AttemptRecords(database, left, defaults);
  const consents = new ConsentRecords(database, defaults);
  const forgetting = new ForgottenReasons(database, sealed, ledger);

  // What is noticed, and written about.
  const intake = new ReasonIntake(turns, messenger, rules, logger);
  const interests = new InterestFinder(intentions, messenger, logger);
  const reminders = new TaskReminders(attempts, messenger, logger);
  const outreach = new OutreachDispatcher(records, intentions, attempts, messenger, logger);

  // What recurs.
  const nightRecords = new NightRecords(database);
  const nights = new NightRunner(messenger, nightRecords, config.night.at);
  const jobs = recurringJobs(config, { outreach, interests, records, nights, ledger, messenger });
  const kept = { jobs: new JobRecords(database), nights: nightRecords };
  const recurring = new JobRunner(jobs, kept, database, messenger, metrics);
  const zones = new ZoneKeeper(consents, intake, broadcasts, logger);

  return {
    ...host,
    database,
    ledger,
    left,
    sealed,
    people,
    intentions,
    records,
    attempts,
    consents,
    forgetting,
    intake,
    reminders,
    nights,
    recurring,
    zones,
  };
}
