import { join } from 'node:path';
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Database, LeftPlaces, SealedRows, TurnLedger } from '@kith/database';
import { createModelRoles, ModelChoices } from '@kith/llm';
import { Broadcasts, Messenger } from '@kith/messaging';
import { ReadingThread } from '@kith/reading';
import { DegradedStates, FollowedModels, HealthChecks, LOGGER } from '@kith/service-host';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { ExplanationService } from './explanation/explanation.service.js';
import { AppraisalService } from './appraisal/appraisal.service.js';
import { askWith } from './appraisal/appraise-by-model.js';
import { type AppraiseByRules, Appraiser } from './appraisal/appraiser.js';
import { MoodService } from './mood/mood.service.js';
import { CompanionsService } from './persona/companions.service.js';
import { SHIPPED_FOLDER } from './persona/load-personas.js';
import { PersonalityController } from './personality.controller.js';
import { ReplayService } from './replay/replay.service.js';
import { ReflectionService } from './reflection/reflection.service.js';
import { AffectHistory } from './storage/affect-history.js';
import { AffectRecords } from './storage/affect-records.js';
import { CompanionRecords } from './storage/companion-records.js';
import { Explanations } from './storage/explanations.js';
import { FeltPeople } from './storage/felt-people.js';
import { FeltLog } from './storage/felt-log.js';
import { JokeRecords } from './storage/joke-records.js';
import { ProspectRecords } from './storage/prospect-records.js';
import { ReflectionRecords } from './storage/reflection-records.js';

/** The rules as they were built: a thread runs no TypeScript. */
const RULES = join(import.meta.dirname, '../dist/appraisal/appraise-by-rules.js');

@Module({})
export class AppModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(CompanionsService) private readonly companions: CompanionsService,
    @Inject(SealedRows) private readonly sealed: SealedRows,
    @Inject(HealthChecks) private readonly health: HealthChecks,
    @Inject(FollowedModels) private readonly models: FollowedModels | null,
    @Inject(Messenger) private readonly messenger: Messenger,
    @Inject(Broadcasts) private readonly broadcasts: Broadcasts,
  ) {}

  static with({ database, companions, models, timeZone }: Config): DynamicModule {
    const folders = [SHIPPED_FOLDER, ...(companions.folder === undefined ? [] : [companions.folder])];
    const choices = new ModelChoices();
    const followed = new FollowedModels((chosen) => choices.set(chosen));
    const { fast } = createModelRoles(models, { choices, onGone: (label) => followed.replace(label) });
    return {
      module: AppModule,
      controllers: [PersonalityController],
      providers: [
        { provide: Database, useFactory: () => new Database(database) },
        { provide: FollowedModels, useValue: fast ? followed : null },
        {
          provide: CompanionsService,
          inject: [Database, Broadcasts, LOGGER],
          useFactory: (db: Database, broadcasts: Broadcasts, logger: Logger) =>
            new CompanionsService(new CompanionRecords(db), folders, timeZone, broadcasts, logger),
        },
        {
          provide: TurnLedger,
          inject: [Database],
          useFactory: (db: Database) => new TurnLedger(db, 'personality_handled_turns'),
        },
        {
          provide: AffectRecords,
          inject: [Database, TurnLedger],
          useFactory: (db: Database, ledger: TurnLedger) => new AffectRecords(db, ledger),
        },
        {
          provide: ReflectionService,
          inject: [Messenger, Database, LOGGER],
          useFactory: (messenger: Messenger, db: Database, logger: Logger) =>
            new ReflectionService(messenger, new ReflectionRecords(db), logger),
        },
        {
          provide: ExplanationService,
          inject: [AffectRecords, Database, LeftPlaces],
          useFactory: (records: AffectRecords, db: Database, left: LeftPlaces) =>
            new ExplanationService(records, new Explanations(db, left)),
        },
        {
          provide: ReplayService,
          inject: [CompanionsService, Database],
          useFactory: (companions: CompanionsService, db: Database) =>
            new ReplayService(companions, new FeltLog(db)),
        },
        {
          provide: SealedRows,
          inject: [Database],
          useFactory: (db: Database) => new SealedRows(db, 'personality_sealed_rows'),
        },
        {
          provide: LeftPlaces,
          inject: [Database],
          useFactory: (db: Database) => new LeftPlaces(db, 'personality_left_places'),
        },
        {
          provide: FeltPeople,
          inject: [Database, SealedRows, TurnLedger],
          useFactory: (db: Database, sealed: SealedRows, ledger: TurnLedger) =>
            new FeltPeople(db, sealed, ledger),
        },
        { provide: JokeRecords, inject: [Database], useFactory: (db: Database) => new JokeRecords(db) },
        {
          provide: ProspectRecords,
          inject: [Database],
          useFactory: (db: Database) => new ProspectRecords(db),
        },
        { provide: AffectHistory, inject: [Database], useFactory: (db: Database) => new AffectHistory(db) },
        {
          provide: MoodService,
          inject: [AffectRecords, AffectHistory],
          useFactory: (records: AffectRecords, history: AffectHistory) => new MoodService(records, history),
        },
        {
          provide: Appraiser,
          inject: [DegradedStates, LOGGER],
          useFactory: (states: DegradedStates, logger: Logger) => {
            const thread = new ReadingThread<typeof import('./appraisal/appraise-by-rules.js')>(RULES);
            const rules: AppraiseByRules = (...turn) => thread.call('appraiseByRules', ...turn);
            return new Appraiser(fast ? askWith(fast, states) : null, rules, logger);
          },
        },
        {
          provide: AppraisalService,
          inject: [
            Messenger,
            CompanionsService,
            Appraiser,
            AffectRecords,
            JokeRecords,
            ProspectRecords,
            LOGGER,
          ],
          useFactory: (...parts: ConstructorParameters<typeof AppraisalService>) =>
            new AppraisalService(...parts),
        },
      ],
    };
  }

  onModuleInit(): void {
    this.health.add('postgres', () => this.database.ping());
    this.health.add('companions', async () => void this.companions.all());
    this.models?.start(this.messenger, this.broadcasts);
    this.sealed.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sealed.stop();
    await this.database.close();
  }
}
