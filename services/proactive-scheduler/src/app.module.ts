import { Module, type DynamicModule } from '@nestjs/common';
import { Database, TurnLedger } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { HealthChecks } from '@kith/service-host';
import type { Config } from './config.js';
import { OutreachRecords } from './outreach/outreach-records.js';
import { OutreachService } from './outreach/outreach.service.js';
import { ProactiveSchedulerController } from './proactive-scheduler.controller.js';
import { NightService } from './recurring/night.service.js';
import { SchedulesService } from './recurring/schedules.service.js';

@Module({})
export class AppModule {
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
          provide: OutreachRecords,
          inject: [Database, TurnLedger],
          useFactory: (database: Database, ledger: TurnLedger) =>
            new OutreachRecords(database, ledger, config.timeZone),
        },
        OutreachService,
        {
          provide: NightService,
          inject: [Messenger],
          useFactory: (messenger: Messenger) => new NightService(messenger, config.timeZone),
        },
        {
          provide: SchedulesService,
          inject: [Messenger],
          useFactory: (messenger: Messenger) => new SchedulesService(config, messenger),
        },
      ],
    };
  }
}
