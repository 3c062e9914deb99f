import { join } from 'node:path';
import {
  type DynamicModule,
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import { Database, LeftPlaces, SealedRows, TurnLedger } from '@kith/database';
import { CallHooks, createModelRoles, HookList, ModelChoices } from '@kith/llm';
import { Broadcasts, Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { ReadingThread } from '@kith/reading';
import { DegradedStates, FollowedModels, HealthChecks, LOGGER, provide, UsageBook } from '@kith/service-host';
import { AffectExplainer } from './companion/affect-explainer.js';
import { CompanionRegistry } from './companion/companion-registry.js';
import { MoodReader } from './companion/mood-reader.js';
import { NightlyReflection } from './companion/nightly-reflection.js';
import { Replayer } from './companion/replayer.js';
import type { Config } from './config.js';
import { SHIPPED_FOLDER } from './persona/load-personas.js';
import { PersonalityController } from './personality.controller.js';
import { appraiseByModel } from './reading/appraise-by-model.js';
import { type AppraiseByRules, Appraiser } from './reading/appraiser.js';
import { AffectHistory } from './store/affect-history.js';
import { AffectRecords } from './store/affect-records.js';
import { CompanionRecords } from './store/companion-records.js';
import { ExplanationRecords } from './store/explanation-records.js';
import { JokeRecords } from './store/joke-records.js';
import { PersonRecords } from './store/person-records.js';
import { ProspectRecords } from './store/prospect-records.js';
import { ReflectionRecords } from './store/reflection-records.js';
import { TurnAppraiser } from './turns/turn-appraiser.js';

/** The rules as they were built: a thread runs no TypeScript. */
const RULES = join(import.meta.dirname, '../dist/reading/english/appraise-by-rules.js');

/** State while a file is left out: all other companions are there. */
const LEFT_OUT = {
  part: 'persona-files',
  effect: 'a companion whose file is broken is missing, or stays as it was before',
};

@Module({})
export class AppModule
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(CompanionRegistry) private readonly companions: CompanionRegistry,
    @Inject(SealedRows) private readonly sealed: SealedRows,
    @Inject(HealthChecks) private readonly health: HealthChecks,
    @Inject(FollowedModels) private readonly models: FollowedModels | null,
    @Inject(UsageBook) private readonly usage: UsageBook,
    @Inject(Messenger) private readonly messenger: Messenger,
    @Inject(Broadcasts) private readonly broadcasts: Broadcasts,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  static with(config: Config, hooks = new HookList()): DynamicModule {
    return {
      module: AppModule,
      controllers: [PersonalityController],
      providers: providersOf(config, hooks),
    };
  }

  onModuleInit(): void {
    this.health.add('postgres', () => this.database.ping());
    this.health.add('companions', () => this.companions.all());
    this.health.add('persona-files', () => this.companions.requireWholeFiles(), LEFT_OUT);
    this.models?.start(this.messenger, this.broadcasts);
    this.usage.reportTo(this.messenger, this.logger);
    this.sealed.start();
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.companions.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.usage.drain();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.companions.stop();
    await this.sealed.stop();
    await this.database.close();
  }
}

function providersOf(
  { database: settings, companions, models, timeZone }: Config,
  hooks: HookList,
): Provider[] {
  const database = new Database(settings);
  const folders = [SHIPPED_FOLDER, ...(companions.folder === undefined ? [] : [companions.folder])];
  const choices = new ModelChoices();
  const followed = new FollowedModels((chosen) => choices.set(chosen));
  const usage = new UsageBook();
  const onGone = (label: string) => followed.replace(label);
  const { fast } = createModelRoles(
    models,
    { choices, onGone },
    new CallHooks([(call) => usage.note(call)], hooks),
  );
  const ledger = new TurnLedger(database, 'personality_handled_turns');
  const left = new LeftPlaces(database, 'personality_left_places');
  const sealed = new SealedRows(database, 'personality_sealed_rows');
  const affect = new AffectRecords(database, ledger);
  const thread = new ReadingThread<typeof import('./reading/english/appraise-by-rules.js')>(RULES);
  const rules: AppraiseByRules = (...turn) => thread.call('appraiseByRules', ...turn);
  return [
    { provide: Database, useValue: database },
    { provide: FollowedModels, useValue: fast ? followed : null },
    { provide: UsageBook, useValue: usage },
    { provide: TurnLedger, useValue: ledger },
    { provide: LeftPlaces, useValue: left },
    { provide: SealedRows, useValue: sealed },
    { provide: PersonRecords, useValue: new PersonRecords(database, sealed, ledger) },
    { provide: ProspectRecords, useValue: new ProspectRecords(database) },
    { provide: MoodReader, useValue: new MoodReader(affect, new AffectHistory(database)) },
    {
      provide: AffectExplainer,
      useValue: new AffectExplainer(affect, new ExplanationRecords(database, left)),
    },
    provide(
      CompanionRegistry,
      [Broadcasts, LOGGER],
      (broadcasts, logger) =>
        new CompanionRegistry(new CompanionRecords(database), folders, timeZone, broadcasts, logger),
    ),
    provide(
      NightlyReflection,
      [Messenger, LOGGER],
      (messenger, logger) => new NightlyReflection(messenger, new ReflectionRecords(database), logger),
    ),
    provide(Replayer, [CompanionRegistry], (registry) => new Replayer(registry, database)),
    provide(
      Appraiser,
      [DegradedStates, LOGGER],
      (states, logger) => new Appraiser(fast ? appraiseByModel(fast, states) : null, rules, logger),
    ),
    provide(
      TurnAppraiser,
      [Messenger, CompanionRegistry, Appraiser, ProspectRecords, LOGGER],
      (messenger, registry, appraiser, prospects, logger) =>
        new TurnAppraiser(
          messenger,
          registry,
          appraiser,
          affect,
          new JokeRecords(database),
          prospects,
          logger,
        ),
    ),
  ];
}
