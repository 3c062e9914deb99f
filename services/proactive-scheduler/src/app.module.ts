import { join } from 'node:path';
import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import { Database, LeftPlaces, PersonRows, SealedRows, TurnLedger } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { ReadingThread } from '@kith/reading';
import { HealthChecks, LOGGER, METRICS, provide, provideClass } from '@kith/service-host';
import type { Config } from './config.js';
import { InterestFinder } from './noticing/interest-finder.js';
import { ReasonIntake, type ReasonRules } from './noticing/reason-intake.js';
import { ProactiveSchedulerController } from './proactive-scheduler.controller.js';
import { JobRecords } from './recurring/job-records.js';
import { JobRunner } from './recurring/job-runner.js';
import { NightRecords } from './recurring/night-records.js';
import { NightRunner } from './recurring/night-runner.js';
import { recurringJobs } from './recurring/recurring-jobs.js';
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
  ...['outreach_settings', 'intentions', 'outreach_attempts', 'outreach_handled_turns'],
  'outreach_sealed_rows',
];

/** The rules as they were built: a thread runs no TypeScript. */
const RULES = join(import.meta.dirname, '../dist/reasons/notice-reasons.js');

@Module({})
export class AppModule
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  constructor(
    @Inject(HealthChecks) private readonly checks: HealthChecks,
    @Inject(Database) private readonly database: Database,
    @Inject(SealedRows) private readonly sealed: SealedRows,
    @Inject(JobRunner) private readonly jobs: JobRunner,
  ) {}

  static with(config: Config): DynamicModule {
    return { module: AppModule, controllers: [ProactiveSchedulerController], providers: providersOf(config) };
  }

  onModuleInit(): void {
    this.checks.add('postgres', () => this.database.ping());
    this.sealed.start();
  }

  onApplicationBootstrap(): void {
    this.jobs.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sealed.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}

function providersOf(config: Config): Provider[] {
  const database = new Database(config.database);
  const defaults = defaultSettings(config.timeZone);
  const ledger = new TurnLedger(database, 'outreach_handled_turns');
  const left = new LeftPlaces(database, 'outreach_left_places');
  const sealed = new SealedRows(database, 'outreach_sealed_rows');
  const nights = new NightRecords(database);
  const rules: ReasonRules = new ReadingThread(RULES);
  return [
    { provide: Database, useValue: database },
    { provide: TurnLedger, useValue: ledger },
    { provide: LeftPlaces, useValue: left },
    { provide: SealedRows, useValue: sealed },
    { provide: PersonRows, useValue: new PersonRows(database, OF_PEOPLE) },
    { provide: ForgottenReasons, useValue: new ForgottenReasons(database, sealed, ledger) },
    { provide: TurnRecords, useValue: new TurnRecords(database, ledger, defaults) },
    { provide: OutreachRecords, useValue: new OutreachRecords(database, left, defaults) },
    { provide: IntentionRecords, useValue: new IntentionRecords(database) },
    { provide: AttemptRecords, useValue: new AttemptRecords(database, left, defaults) },
    { provide: ConsentRecords, useValue: new ConsentRecords(database, defaults) },
    provide(
      ReasonIntake,
      [TurnRecords, Messenger, LOGGER],
      (records, messenger, logger) => new ReasonIntake(records, messenger, rules, logger),
    ),
    provideClass(InterestFinder, [IntentionRecords, Messenger, LOGGER]),
    provideClass(TaskReminders, [AttemptRecords, Messenger, LOGGER]),
    provideClass(OutreachDispatcher, [OutreachRecords, IntentionRecords, AttemptRecords, Messenger, LOGGER]),
    provide(NightRunner, [Messenger], (messenger) => new NightRunner(messenger, nights, config.night.at)),
    provide(
      JobRunner,
      [Messenger, OutreachDispatcher, InterestFinder, OutreachRecords, NightRunner, METRICS],
      (messenger, outreach, interests, records, nightly, metrics) => {
        const parts = { outreach, interests, records, nights: nightly, ledger, messenger };
        const kept = { jobs: new JobRecords(database), nights };
        return new JobRunner(recurringJobs(config, parts), kept, database, messenger, metrics);
      },
    ),
  ];
}
