import { join } from 'node:path';
import type { DynamicModule, Provider } from '@nestjs/common';
import { Database, LeftPlaces, PersonRows, SealedRows, TurnLedger } from '@kith/database';
import { Broadcasts, Messenger } from '@kith/messaging';
import { ReadingThread } from '@kith/reading';
import {
  HealthChecks,
  LOGGER,
  METRICS,
  provide,
  provideClass,
  serviceModule,
  value,
} from '@kith/service-host';
import type { Config } from './config.js';
import { InterestFinder } from './noticing/interest-finder.js';
import { ReasonIntake, type ReasonRules } from './noticing/reason-intake.js';
import { ProactiveSchedulerController } from './proactive-scheduler.controller.js';
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

/** Tables with rows of people. */
const OF_PEOPLE = [
  'outreach_settings',
  'intentions',
  'outreach_attempts',
  'outreach_handled_turns',
  'outreach_sealed_rows',
];

/** Compiled rules: a thread runs no TypeScript. */
const RULES = join(import.meta.dirname, '../dist/reasons/notice-reasons.js');

export function appModule(config: Config): DynamicModule {
  return serviceModule(
    { controllers: [ProactiveSchedulerController], providers: providersOf(config) },
    { checks: HealthChecks, database: Database, sealed: SealedRows, zones: ZoneKeeper, jobs: JobRunner },
    ({ checks, database, sealed, zones, jobs }) => ({
      onModuleInit: () => {
        checks.add('postgres', () => database.ping());
        sealed.start();
        zones.start();
      },
      onApplicationBootstrap: () => jobs.start(),
      beforeApplicationShutdown: async () => {
        await sealed.stop();
        await zones.stop();
      },
      onApplicationShutdown: () => database.close(),
    }),
  );
}

function providersOf(config: Config): Provider[] {
  const defaults = defaultSettings(config.timeZone);
  const rules: ReasonRules = new ReadingThread(RULES);
  return [
    value(new Database(config.database)),
    provide(TurnLedger, [Database], (database) => new TurnLedger(database, 'outreach_handled_turns')),
    provide(LeftPlaces, [Database], (database) => new LeftPlaces(database, 'outreach_left_places')),
    provide(SealedRows, [Database], (database) => new SealedRows(database, 'outreach_sealed_rows')),
    provide(PersonRows, [Database], (database) => new PersonRows(database, OF_PEOPLE)),
    provideClass(ForgottenReasons, [Database, SealedRows, TurnLedger]),
    provide(TurnRecords, [Database, TurnLedger], (...parts) => new TurnRecords(...parts, defaults)),
    provide(OutreachRecords, [Database, LeftPlaces], (...parts) => new OutreachRecords(...parts, defaults)),
    provideClass(IntentionRecords, [Database, TurnLedger]),
    provide(AttemptRecords, [Database, LeftPlaces], (...parts) => new AttemptRecords(...parts, defaults)),
    provide(ConsentRecords, [Database], (database) => new ConsentRecords(database, defaults)),
    provideClass(ZoneKeeper, [ConsentRecords, ReasonIntake, Broadcasts, LOGGER]),
    provideClass(JobRecords, [Database]),
    provideClass(NightRecords, [Database]),
    provide(
      ReasonIntake,
      [TurnRecords, Messenger, LOGGER],
      (records, messenger, logger) => new ReasonIntake(records, messenger, rules, logger),
    ),
    provideClass(InterestFinder, [IntentionRecords, Messenger, LOGGER]),
    provideClass(TaskReminders, [AttemptRecords, Messenger, LOGGER]),
    provideClass(OutreachDispatcher, [OutreachRecords, IntentionRecords, AttemptRecords, Messenger, LOGGER]),
    provide(NightRunner, [Messenger, NightRecords], (...parts) => new NightRunner(...parts, config.night.at)),
    provide(
      JobRunner,
      {
        jobs: JobRecords,
        nightRecords: NightRecords,
        database: Database,
        metrics: METRICS,
        outreach: OutreachDispatcher,
        interests: InterestFinder,
        records: OutreachRecords,
        nights: NightRunner,
        ledger: TurnLedger,
        messenger: Messenger,
      },
      ({ jobs, nightRecords, database, metrics, ...parts }) => {
        const kept = { jobs, nights: nightRecords };
        return new JobRunner(recurringJobs(config, parts), kept, database, parts.messenger, metrics);
      },
    ),
  ];
}
