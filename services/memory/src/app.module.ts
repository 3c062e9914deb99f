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
import { Database, LeftPlaces, SealedRows, TurnLedger } from '@kith/database';
import { CallHooks, createModelRoles, HookList, ModelChoices } from '@kith/llm';
import { Broadcasts, Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { ReadingThread } from '@kith/reading';
import {
  DegradedStates,
  FollowedModels,
  HealthChecks,
  LOGGER,
  METRICS,
  provide,
  provideClass,
  provideFrom,
  type Token,
  UsageBook,
} from '@kith/service-host';
import type { Config } from './config.js';
import { ConsolidationService } from './consolidation/consolidation.service.js';
import { summariseByModel, summariseTopicByModel } from './consolidation/summarise-by-model.js';
import { CoreService } from './core/core.service.js';
import { DocumentReader } from './documents/document-reader.js';
import { DocumentService } from './documents/document.service.js';
import { ExtractService } from './facts/extract.service.js';
import { readByModel } from './facts/read-by-model.js';
import { readLinesBy, type ReadByRules } from './facts/read-lines.js';
import { EraseService } from './forget/erase.service.js';
import { ForgetService } from './forget/forget.service.js';
import { ReviseService } from './forget/revise.service.js';
import { UndoService } from './forget/undo.service.js';
import { Embeddings } from './index/embeddings.js';
import { indexGauges, type IndexGauges } from './index/index-gauges.js';
import { IndexWriter } from './index/index-writer.js';
import { ReindexMonitor } from './index/reindex-monitor.js';
import type { VectorIndex } from './index/vector-index.js';
import { LoreController } from './lore/lore.controller.js';
import { LoreService } from './lore/lore.service.js';
import { Reindexer } from './maintenance/reindexer.js';
import { Upkeep } from './maintenance/upkeep.js';
import { MemoryController } from './memory.controller.js';
import { openIndex } from './open-index.js';
import { AmendService } from './owner/amend.service.js';
import { ChangeService } from './owner/change.service.js';
import { DescriptionService } from './owner/description.service.js';
import { ListService } from './owner/list.service.js';
import { PrivacyService } from './owner/privacy.service.js';
import { RecallService } from './recall/recall.service.js';
import { UseCounter } from './recall/use-counter.js';
import { DailyCount } from './remember/daily-count.js';
import { ImportService } from './remember/import.service.js';
import { ReadingOrders } from './remember/reading-orders.js';
import { RememberService } from './remember/remember.service.js';
import { TaskService } from './tasks/task.service.js';
import { SpeakerNames } from './rows/speaker-names.js';
import { UsualLanguages } from './rows/usual-languages.js';

export const INDEX: Token<VectorIndex> = Symbol('INDEX');
const INDEX_GAUGES: Token<IndexGauges> = Symbol('INDEX_GAUGES');

/** Compiled rules, since a thread runs no TypeScript. */
const RULES = join(import.meta.dirname, '../dist/facts/read-by-rules.js');

@Module({})
export class AppModule
  implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown
{
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(INDEX) private readonly index: VectorIndex,
    @Inject(UseCounter) private readonly uses: UseCounter,
    @Inject(ReindexMonitor) private readonly reindexing: ReindexMonitor,
    @Inject(Upkeep) private readonly upkeep: Upkeep,
    @Inject(LoreService) private readonly lore: LoreService,
    @Inject(DocumentReader) private readonly reader: DocumentReader,
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
      controllers: [MemoryController, LoreController],
      providers: providersOf(config, hooks),
    };
  }

  onModuleInit(): void {
    this.health.add('postgres', () => this.database.ping());
    this.health.add('index', () => this.index.check(), {
      part: 'vector-store',
      effect: 'recall goes by words alone, until the vector store is back',
    });
    this.health.add(
      'index-refilled',
      () => {
        const { done, total } = this.reindexing.lacking ?? { done: 0, total: 0 };
        if (done < total) throw new Error(`${done} of ${total} memories are in the index`);
      },
      {
        part: 'vector-index',
        effect: 'the index of memories is being filled: recall goes by words until then',
      },
    );
  }

  onApplicationBootstrap(): void {
    this.upkeep.start();
    this.models?.start(this.messenger, this.broadcasts);
    this.usage.reportTo(this.messenger, this.logger);
    this.sealed.start();
    this.lore.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sealed.stop();
    await this.upkeep.stop();
    this.lore.stop();
    await this.usage.drain();
  }

  async onApplicationShutdown(): Promise<void> {
    this.reader.close();
    await this.uses.flush();
    await this.database.close();
  }
}

function providersOf(config: Config, hooks: HookList): Provider[] {
  const database = new Database(config.database);
  const choices = new ModelChoices();
  const followed = new FollowedModels((chosen) => choices.set(chosen));
  const usage = new UsageBook();
  const onGone = (label: string) => followed.replace(label);
  const { fast } = createModelRoles(
    config.models,
    { choices, onGone },
    new CallHooks([(call) => usage.note(call)], hooks),
  );
  const facts = (states: DegradedStates, logger: Logger) => {
    const thread = new ReadingThread<typeof import('./facts/read-by-rules.js')>(RULES);
    const rules: ReadByRules = (line) => thread.call('readByRules', line);
    return readLinesBy(fast && readByModel(fast, states), rules, logger);
  };
  return [
    { provide: Database, useValue: database },
    { provide: FollowedModels, useValue: fast ? followed : null },
    { provide: UsageBook, useValue: usage },
    { provide: SealedRows, useValue: new SealedRows(database, 'memory_sealed_rows') },
    { provide: LeftPlaces, useValue: new LeftPlaces(database, 'left_places') },
    { provide: TurnLedger, useValue: new TurnLedger(database, 'memory_handled_turns') },
    { provide: SpeakerNames, useValue: new SpeakerNames(database) },
    { provide: UsualLanguages, useValue: new UsualLanguages(database) },
    { provide: CoreService, useValue: new CoreService(database) },
    { provide: TaskService, useValue: new TaskService(database) },
    { provide: DescriptionService, useValue: new DescriptionService(database) },
    { provide: PrivacyService, useValue: new PrivacyService(database) },
    { provide: DocumentReader, useValue: new DocumentReader() },
    { provide: DailyCount, useValue: new DailyCount() },
    provide(INDEX, [LOGGER], (logger) => openIndex(config.index, database, logger)),
    provide(INDEX_GAUGES, [METRICS], indexGauges),
    provideClass(Embeddings, [Messenger, DegradedStates, Database]),
    provideClass(ReindexMonitor, [Broadcasts, INDEX_GAUGES]),
    provideClass(IndexWriter, [Database, INDEX, Embeddings, LOGGER]),
    provideClass(LoreService, [Database, Broadcasts]),
    provide(
      ExtractService,
      [IndexWriter, Messenger, DegradedStates, LOGGER],
      (writer, messenger, states, logger) =>
        new ExtractService(database, writer, messenger, facts(states, logger)),
    ),
    provideClass(ReadingOrders, [Messenger]),
    provideClass(RememberService, [
      Database,
      Messenger,
      IndexWriter,
      TurnLedger,
      SpeakerNames,
      DailyCount,
      ReadingOrders,
    ]),
    provideClass(ImportService, [Database, IndexWriter, SpeakerNames, ReadingOrders]),
    provideClass(ForgetService, [Database, INDEX, SealedRows]),
    provideClass(ReviseService, [Database, ForgetService, SealedRows]),
    provideClass(UndoService, [Database, SealedRows, IndexWriter, Messenger]),
    provideClass(EraseService, [Database, INDEX, Embeddings]),
    provideClass(AmendService, [Database, IndexWriter, Messenger, SealedRows]),
    provideClass(ChangeService, [Database, IndexWriter, Messenger, SealedRows]),
    provideClass(DocumentService, [Database, ImportService, ForgetService, DocumentReader, IndexWriter]),
    provideClass(ListService, [Database, INDEX, Embeddings, ReindexMonitor, Messenger]),
    provideClass(UseCounter, [Database, LOGGER]),
    provideClass(RecallService, [
      Database,
      INDEX,
      Embeddings,
      ReindexMonitor,
      UseCounter,
      SpeakerNames,
      UsualLanguages,
      LOGGER,
    ]),
    provide(
      ConsolidationService,
      [Database, IndexWriter, ForgetService, RecallService, DegradedStates],
      (db, writer, forgetting, recall, states) =>
        new ConsolidationService(
          db,
          writer,
          forgetting,
          recall,
          fast && summariseByModel(fast, states),
          fast && summariseTopicByModel(fast, states),
        ),
    ),
    provideClass(Reindexer, [
      Database,
      INDEX,
      Embeddings,
      IndexWriter,
      ForgetService,
      ReindexMonitor,
      LOGGER,
    ]),
    provideFrom(
      Upkeep,
      {
        ...{ database: Database, index: INDEX, embeddings: Embeddings, monitor: ReindexMonitor },
        ...{ forgetting: ForgetService, ledger: TurnLedger, messenger: Messenger },
        ...{ gauges: INDEX_GAUGES, logger: LOGGER },
      },
      (parts) => new Upkeep(parts, config.retention),
    ),
  ];
}
