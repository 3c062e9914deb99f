import { join } from 'node:path';
import type { DynamicModule, Provider } from '@nestjs/common';
import { Database, LeftPlaces, SealedRows, TurnLedger } from '@kith/database';
import { CallHooks, createModelRoles, HookList, ModelChoices } from '@kith/llm';
import { Broadcasts, Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { ReadingThread } from '@kith/reading';
import {
  DegradedStates,
  FOLLOWED_MODELS,
  FollowedModels,
  HealthChecks,
  LOGGER,
  METRICS,
  provide,
  provideClass,
  serviceModule,
  type Token,
  UsageBook,
  value,
} from '@kith/service-host';
import type { Config } from './config.js';
import { Consolidator } from './consolidation/consolidator.js';
import { summariseByModel, summariseTopicByModel } from './consolidation/summarise-by-model.js';
import { DocumentReader } from './documents/document-reader.js';
import { FactExtractor } from './facts/fact-extractor.js';
import { readByModel } from './facts/read-by-model.js';
import { readLinesBy, type ReadByRules } from './facts/read-lines.js';
import { Forgetter } from './forget/forgetter.js';
import { Embeddings } from './index/embeddings.js';
import { indexGauges, type IndexGauges } from './index/index-gauges.js';
import { IndexWriter } from './index/index-writer.js';
import { ReindexMonitor } from './index/reindex-monitor.js';
import { LoreController } from './lore/lore.controller.js';
import { LoreKeeper } from './lore/lore-keeper.js';
import { Reindexer } from './maintenance/reindexer.js';
import { Upkeep } from './maintenance/upkeep.js';
import { MemoryController } from './memory.controller.js';
import { INDEX, openIndex } from './open-index.js';
import { MemoryLister } from './owner/memory-lister.js';
import { MemoryFinder } from './recall/memory-finder.js';
import { Recaller } from './recall/recaller.js';
import { UseCounter } from './recall/use-counter.js';
import { DailyCount } from './remember/daily-count.js';
import { MemoryImporter } from './remember/memory-importer.js';
import { ReadingOrders } from './remember/reading-orders.js';
import { EpisodeKeeper } from './remember/episode-keeper.js';
import { TaskKeeper } from './tasks/task-keeper.js';
import { SpeakerNames } from './rows/speaker-names.js';
import { UsualLanguages } from './rows/usual-languages.js';

export const INDEX_GAUGES: Token<IndexGauges> = Symbol('INDEX_GAUGES');

/** Compiled rules, since a thread runs no TypeScript. */
const RULES = join(import.meta.dirname, '../dist/facts/read-by-rules.js');

export function appModule(config: Config, hooks = new HookList()): DynamicModule {
  return serviceModule(
    { controllers: [MemoryController, LoreController], providers: providersOf(config, hooks) },
    {
      database: Database,
      index: INDEX,
      uses: UseCounter,
      reindexing: ReindexMonitor,
      upkeep: Upkeep,
      writer: IndexWriter,
      lore: LoreKeeper,
      reader: DocumentReader,
      sealed: SealedRows,
      checks: HealthChecks,
      models: FOLLOWED_MODELS,
      usage: UsageBook,
      messenger: Messenger,
      broadcasts: Broadcasts,
      logger: LOGGER,
    },
    ({ database, index, upkeep, sealed, lore, checks, models, usage, ...parts }) => ({
      onModuleInit: () => {
        checks.add('postgres', () => database.ping());
        checks.add('index', () => index.check(), {
          part: 'vector-store',
          effect: 'recall goes by words alone, until the vector store is back',
        });
        checks.add(
          'index-refilled',
          () => {
            const { done, total } = parts.reindexing.lacking ?? { done: 0, total: 0 };
            if (done < total) throw new Error(`${done} of ${total} memories are in the index`);
          },
          {
            part: 'vector-index',
            effect: 'the index of memories is being filled: recall goes by words until then',
          },
        );
      },
      onApplicationBootstrap: () => {
        upkeep.start();
        models?.start(parts.messenger, parts.broadcasts);
        usage.reportTo(parts.messenger, parts.logger);
        sealed.start();
        lore.start();
      },
      beforeApplicationShutdown: async () => {
        await sealed.stop();
        await upkeep.stop();
        lore.stop();
      },
      // Only now have the jobs ended that ran here.
      onApplicationShutdown: async () => {
        models?.stop();
        await parts.writer.stop();
        parts.reader.close();
        await parts.uses.flush();
        await database.close();
        // Last: it may wait for Redis longer than a service has to end.
        await usage.close();
      },
    }),
  );
}

function providersOf(config: Config, hooks: HookList): Provider[] {
  const choices = new ModelChoices();
  const followed = new FollowedModels((chosen) => choices.set(chosen));
  const usage = new UsageBook();
  const onGone = (label: string) => followed.replace(label);
  const counted = new CallHooks([(call) => usage.note(call)], hooks, ({ account }) => usage.isSpent(account));
  const { fast } = createModelRoles(config.models, { choices, onGone }, counted);
  const readLines = (states: DegradedStates, logger: Logger) => {
    const thread = new ReadingThread<typeof import('./facts/read-by-rules.js')>(RULES);
    const rules: ReadByRules = (line) => thread.call('readByRules', line);
    return readLinesBy(fast && readByModel(fast, states), rules, logger);
  };
  return [
    value(new Database(config.database)),
    value(fast ? followed : null, FOLLOWED_MODELS),
    value(usage),
    value(new DocumentReader()),
    value(new DailyCount()),
    provide(SealedRows, [Database], (database) => new SealedRows(database, 'memory_sealed_rows')),
    provide(LeftPlaces, [Database], (database) => new LeftPlaces(database, 'left_places')),
    provide(TurnLedger, [Database], (database) => new TurnLedger(database, 'memory_handled_turns')),
    provideClass(SpeakerNames, [Database]),
    provideClass(UsualLanguages, [Database]),
    provideClass(TaskKeeper, [Database]),
    provide(INDEX, [Database, LOGGER], (...parts) => openIndex(config.index, ...parts)),
    provide(INDEX_GAUGES, [METRICS], indexGauges),
    provideClass(Embeddings, [Messenger, DegradedStates, Database]),
    provideClass(ReindexMonitor, [Broadcasts, INDEX_GAUGES]),
    provideClass(IndexWriter, [Database, INDEX, Embeddings, LOGGER]),
    provideClass(LoreKeeper, [Database, Broadcasts]),
    provide(
      FactExtractor,
      [Database, IndexWriter, Messenger, DegradedStates, LOGGER],
      (database, writer, messenger, states, logger) =>
        new FactExtractor(database, writer, messenger, readLines(states, logger)),
    ),
    provideClass(ReadingOrders, [Messenger]),
    provide(
      EpisodeKeeper,
      {
        database: Database,
        messenger: Messenger,
        writer: IndexWriter,
        ledger: TurnLedger,
        speakers: SpeakerNames,
        counts: DailyCount,
        reading: ReadingOrders,
      },
      (parts) => new EpisodeKeeper({ ...parts, readAfterMs: config.factsAfterMs }),
    ),
    provideClass(MemoryImporter, [Database, IndexWriter, SpeakerNames, ReadingOrders, LOGGER]),
    provideClass(Forgetter, [Database, INDEX, SealedRows]),
    provideClass(MemoryLister, [Database, INDEX, Embeddings, ReindexMonitor, Messenger]),
    provideClass(UseCounter, [Database, LOGGER]),
    provideClass(MemoryFinder, {
      database: Database,
      index: INDEX,
      embeddings: Embeddings,
      reindexing: ReindexMonitor,
      speakers: SpeakerNames,
      usual: UsualLanguages,
      left: LeftPlaces,
      logger: LOGGER,
    }),
    provideClass(Recaller, [Database, INDEX, MemoryFinder, LeftPlaces, UseCounter]),
    provide(
      Consolidator,
      {
        database: Database,
        writer: IndexWriter,
        forgetting: Forgetter,
        recall: Recaller,
        states: DegradedStates,
      },
      ({ states, ...parts }) =>
        new Consolidator({
          ...parts,
          summarise: fast && summariseByModel(fast, states),
          summariseTopic: fast && summariseTopicByModel(fast, states),
        }),
    ),
    provideClass(Reindexer, {
      database: Database,
      index: INDEX,
      embeddings: Embeddings,
      writer: IndexWriter,
      forgetting: Forgetter,
      monitor: ReindexMonitor,
      logger: LOGGER,
    }),
    provide(
      Upkeep,
      {
        database: Database,
        index: INDEX,
        embeddings: Embeddings,
        monitor: ReindexMonitor,
        forgetting: Forgetter,
        ledger: TurnLedger,
        messenger: Messenger,
        gauges: INDEX_GAUGES,
        logger: LOGGER,
      },
      (parts) => new Upkeep(parts, config.retention),
    ),
  ];
}
