import { join } from 'node:path';
import type { DynamicModule, Provider } from '@nestjs/common';
import { Database, LeftPlaces, SealedRows, TurnLedger } from '@kith/database';
import { CallHooks, createModelRoles, HookList, ModelChoices } from '@kith/llm';
import { Broadcasts, Messenger } from '@kith/messaging';
import { ReadingThread } from '@kith/reading';
import {
  DegradedStates,
  FOLLOWED_MODELS,
  FollowedModels,
  HealthChecks,
  LOGGER,
  provide,
  provideClass,
  serviceModule,
  UsageBook,
  value,
} from '@kith/service-host';
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

export function appModule(config: Config, hooks = new HookList()): DynamicModule {
  return serviceModule(
    { controllers: [PersonalityController], providers: providersOf(config, hooks) },
    {
      database: Database,
      companions: CompanionRegistry,
      sealed: SealedRows,
      checks: HealthChecks,
      models: FOLLOWED_MODELS,
      usage: UsageBook,
      messenger: Messenger,
      broadcasts: Broadcasts,
      logger: LOGGER,
    },
    ({ database, companions, sealed, checks, models, usage, messenger, broadcasts, logger }) => ({
      onModuleInit: () => {
        checks.add('postgres', () => database.ping());
        checks.add('companions', () => companions.all());
        checks.add('persona-files', () => companions.watch.requireWholeFiles(), LEFT_OUT);
        models?.start(messenger, broadcasts);
        usage.reportTo(messenger, logger);
        sealed.start();
      },
      onApplicationBootstrap: () => companions.watch.start(),
      // The jobs that ran here have ended.
      onApplicationShutdown: async () => {
        models?.stop();
        await companions.watch.stop();
        await sealed.stop();
        await database.close();
        // Last: it may wait for Redis longer than a service has to end.
        await usage.close();
      },
    }),
  );
}

function providersOf(config: Config, hooks: HookList): Provider[] {
  const folders = [SHIPPED_FOLDER, config.companions.folder].filter((folder) => folder !== undefined);
  const choices = new ModelChoices();
  const followed = new FollowedModels((chosen) => choices.set(chosen));
  const usage = new UsageBook();
  const onGone = (label: string) => followed.replace(label);
  const counted = new CallHooks([(call) => usage.note(call)], hooks, ({ account }) => usage.isSpent(account));
  const { fast } = createModelRoles(config.models, { choices, onGone }, counted);
  const thread = new ReadingThread<typeof import('./reading/english/appraise-by-rules.js')>(RULES);
  const rules: AppraiseByRules = (...turn) => thread.call('appraiseByRules', ...turn);
  return [
    value(new Database(config.database)),
    value(fast ? followed : null, FOLLOWED_MODELS),
    value(usage),
    provide(TurnLedger, [Database], (database) => new TurnLedger(database, 'personality_handled_turns')),
    provide(LeftPlaces, [Database], (database) => new LeftPlaces(database, 'personality_left_places')),
    provide(SealedRows, [Database], (database) => new SealedRows(database, 'personality_sealed_rows')),
    provideClass(AffectHistory, [Database]),
    provideClass(AffectRecords, [Database, TurnLedger]),
    provideClass(CompanionRecords, [Database]),
    provideClass(ExplanationRecords, [Database, LeftPlaces]),
    provideClass(JokeRecords, [Database]),
    provideClass(PersonRecords, [Database, SealedRows, TurnLedger]),
    provideClass(ProspectRecords, [Database]),
    provideClass(ReflectionRecords, [Database]),
    provideClass(MoodReader, [AffectRecords, AffectHistory, ExplanationRecords]),
    provide(
      CompanionRegistry,
      [CompanionRecords, Broadcasts, LOGGER],
      (records, ...parts) => new CompanionRegistry(records, folders, config.timeZone, ...parts),
    ),
    provideClass(NightlyReflection, [Messenger, ReflectionRecords, LOGGER]),
    provideClass(Replayer, [CompanionRegistry, Database]),
    provide(
      Appraiser,
      [DegradedStates, LOGGER],
      (states, logger) => new Appraiser(fast && appraiseByModel(fast, states), rules, logger),
    ),
    provideClass(TurnAppraiser, {
      messenger: Messenger,
      companions: CompanionRegistry,
      appraiser: Appraiser,
      records: AffectRecords,
      jokes: JokeRecords,
      prospects: ProspectRecords,
      logger: LOGGER,
    }),
  ];
}
