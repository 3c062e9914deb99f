import { join } from 'node:path';
import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnModuleInit,
} from '@nestjs/common';
import { Database, LeftPlaces, PersonRows, SealedRows, TurnLedger } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { ReadingThread } from '@kith/reading';
import { HealthChecks, METRICS } from '@kith/service-host';
import type { Registry } from 'prom-client';
import type { Config } from './config.js';
import { AttemptRecords } from './outreach/attempt-records.js';
import { ConsentRecords } from './outreach/consent-records.js';
import { ForgetReasons } from './outreach/forget-reasons.js';
import { IntentionRecords } from './outreach/intention-records.js';
import { InterestsService } from './outreach/interests.service.js';
import { OutreachRecords } from './outreach/outreach-records.js';
import { OutreachService } from './outreach/outreach.service.js';
import { defaultSettings } from './outreach/stored-settings.js';
import { ProactiveSchedulerController } from './proactive-scheduler.controller.js';
import { JobRecords } from './recurring/job-records.js';
import { RecurringService } from './recurring/recurring.service.js';
import { NightRecords } from './recurring/night-records.js';
import { NightsService } from './recurring/nights.service.js';
import { whatRecurs } from './recurring/what-recurs.js';

/** What the scheduler keeps of people. */
const OF_PEOPLE = [
  ...['outreach_settings', 'intentions', 'outreach_attempts', 'outreach_handled_turns'],
  'outreach_sealed_rows',
];

/** The rules as they were built: a thread runs no TypeScript. */
const RULES = join(import.meta.dirname, '../dist/outreach/notice-reasons.js');

@Module({})
export class AppModule implements OnModuleInit, BeforeApplicationShutdown {
  constructor(@Inject(SealedRows) private readonly sealed: SealedRows) {}

  static with(config: Config): DynamicModule {
    return {
      module: AppModule,
      controllers: [ProactiveSchedulerController],
      providers: [
        {
          provide: Database,
          inject: [HealthChecks],
          useFactory: (checks: HealthChecks) => {
            const database = new Database(config.database);
            checks.add('postgres', () => database.ping());
            return database;
          },
        },
        {
          provide: TurnLedger,
          inject: [Database],
          useFactory: (database: Database) => new TurnLedger(database, 'outreach_handled_turns'),
        },
        {
          provide: SealedRows,
          inject: [Database],
          useFactory: (database: Database) => new SealedRows(database, 'outreach_sealed_rows'),
        },
        {
          provide: LeftPlaces,
          inject: [Database],
          useFactory: (database: Database) => new LeftPlaces(database, 'outreach_left_places'),
        },
        {
          provide: ForgetReasons,
          inject: [Database, SealedRows, TurnLedger],
          useFactory: (database: Database, sealed: SealedRows, ledger: TurnLedger) =>
            new ForgetReasons(database, sealed, ledger),
        },
        {
          provide: PersonRows,
          inject: [Database],
          useFactory: (database: Database) => new PersonRows(database, OF_PEOPLE),
        },
        {
          provide: OutreachRecords,
          inject: [Database, TurnLedger, LeftPlaces],
          useFactory: (database: Database, ledger: TurnLedger, left: LeftPlaces) =>
            new OutreachRecords(database, ledger, left, defaultSettings(config.timeZone)),
        },
        {
          provide: IntentionRecords,
          inject: [Database],
          useFactory: (database: Database) => new IntentionRecords(database),
        },
        {
          provide: AttemptRecords,
          inject: [Database, LeftPlaces],
          useFactory: (database: Database, left: LeftPlaces) =>
            new AttemptRecords(database, left, defaultSettings(config.timeZone)),
        },
        {
          provide: ConsentRecords,
          inject: [Database],
          useFactory: (database: Database) => new ConsentRecords(database, defaultSettings(config.timeZone)),
        },
        { provide: ReadingThread, useFactory: () => new ReadingThread(RULES) },
        OutreachService,
        InterestsService,
        {
          provide: NightRecords,
          inject: [Database],
          useFactory: (database: Database) => new NightRecords(database),
        },
        {
          provide: NightsService,
          inject: [Messenger, NightRecords],
          useFactory: (messenger: Messenger, records: NightRecords) =>
            new NightsService(messenger, records, config.night.at),
        },
        {
          provide: RecurringService,
          inject: [
            Database,
            Messenger,
            OutreachService,
            InterestsService,
            OutreachRecords,
            NightsService,
            NightRecords,
            TurnLedger,
            METRICS,
          ],
          useFactory: (
            database: Database,
            messenger: Messenger,
            outreach: OutreachService,
            interests: InterestsService,
            records: OutreachRecords,
            nights: NightsService,
            nightRecords: NightRecords,
            ledger: TurnLedger,
            metrics: Registry,
          ) => {
            const jobs = whatRecurs(config, { outreach, interests, records, nights, ledger, messenger });
            const kept = { jobs: new JobRecords(database), nights: nightRecords };
            return new RecurringService(jobs, kept, database, messenger, metrics);
          },
        },
      ],
    };
  }

  onModuleInit(): void {
    this.sealed.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sealed.stop();
  }
}
