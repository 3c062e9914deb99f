import { join } from 'node:path';
import {
  Inject,
  Module,
  type BeforeApplicationShutdown,
  type DynamicModule,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Database, LeftPlaces, SealedRows, TurnLedger } from '@kith/database';
import { createModelRoles, ModelChoices } from '@kith/llm';
import { Broadcasts, Messenger } from '@kith/messaging';
import { ReadingThread } from '@kith/reading';
import { DegradedStates, FollowedModels, HealthChecks, LOGGER, METRICS } from '@kith/service-host';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Config } from './config.js';
import { ConsolidationService } from './consolidation/consolidation.service.js';
import { summariseByModel } from './consolidation/summarise-by-model.js';
import { ArchiveService } from './keeping/archive.service.js';
import { ChangeService } from './keeping/change.service.js';
import { CoreService } from './core/core.service.js';
import { EraseService } from './forgetting/erase.service.js';
import { ForgetService } from './forgetting/forget.service.js';
import { ReviseService } from './forgetting/revise.service.js';
import { UndoService } from './forgetting/undo.service.js';
import { DescriptionService } from './description/description.service.js';
import { DocumentReader } from './documents/document-reader.js';
import { DocumentService } from './documents/document.service.js';
import { Embeddings } from './indexing/embeddings.js';
import { indexGauges } from './indexing/index-gauges.js';
import { IndexingService } from './indexing/indexing.service.js';
import { RetireSpaces } from './indexing/retire-spaces.service.js';
import { UpkeepService } from './indexing/upkeep.service.js';
import { LoreController } from './lore/lore.controller.js';
import { LoreService } from './lore/lore.service.js';
import { PrivacyService } from './keeping/privacy.service.js';
import { MemoryController } from './memory.controller.js';
import { ListService } from './recall/list.service.js';
import { RecallService } from './recall/recall.service.js';
import { Speakers } from './recall/speakers.js';
import { UseCounter } from './recall/use-counter.js';
import { DailyCount } from './remembering/daily-count.js';
import { ImportService } from './remembering/import.service.js';
import { RememberService } from './remembering/remember.service.js';
import { ExtractService } from './truth/extract.service.js';
import { readByModel } from './truth/read-by-model.js';
import { readLinesBy, type ReadByRules } from './truth/read-lines.js';
import { openIndex } from './storage/open-index.js';
import type { VectorIndex } from './storage/vector-index.js';

export const INDEX = Symbol('INDEX');
/** The rules as they were built: a thread runs no TypeScript. */
const RULES = join(import.meta.dirname, '../dist/truth/read-by-rules.js');
const INDEX_GAUGES = Symbol('INDEX_GAUGES');

/** A provider made by its own constructor from the named parts. */
function built<Parts extends unknown[], T>(type: new (...parts: Parts) => T, ...inject: Token[]) {
  return { provide: type, inject, useFactory: (...parts: Parts) => new type(...parts) };
}
type Token = symbol | (abstract new (...args: never[]) => unknown);

@Module({})
export class AppModule implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @Inject(Database) private readonly database: Database,
    @Inject(INDEX) private readonly index: VectorIndex,
    @Inject(UseCounter) private readonly uses: UseCounter,
    @Inject(UpkeepService) private readonly upkeep: UpkeepService,
    @Inject(LoreService) private readonly lore: LoreService,
    @Inject(DocumentReader) private readonly reader: DocumentReader,
    @Inject(SealedRows) private readonly sealed: SealedRows,
    @Inject(HealthChecks) private readonly health: HealthChecks,
    @Inject(FollowedModels) private readonly models: FollowedModels | null,
    @Inject(Messenger) private readonly messenger: Messenger,
    @Inject(Broadcasts) private readonly broadcasts: Broadcasts,
  ) {}

  static with({ database, index, models, keeping }: Config): DynamicModule {
    const choices = new ModelChoices();
    const followed = new FollowedModels((chosen) => choices.set(chosen));
    const { fast } = createModelRoles(models, { choices, onGone: (label) => followed.replace(label) });
    return {
      module: AppModule,
      controllers: [MemoryController, LoreController],
      providers: [
        { provide: Database, useFactory: () => new Database(database) },
        { provide: FollowedModels, useValue: fast ? followed : null },
        { provide: INDEX, inject: [Database], useFactory: (db: Database) => openIndex(index, db) },
        { provide: INDEX_GAUGES, inject: [METRICS], useFactory: (metrics: Registry) => indexGauges(metrics) },
        built(Embeddings, Messenger, DegradedStates, Database),
        built(IndexingService, Database, INDEX, Embeddings, LOGGER),
        built(RetireSpaces, Database, INDEX, Embeddings, LOGGER),
        {
          provide: SealedRows,
          inject: [Database],
          useFactory: (db: Database) => new SealedRows(db, 'memory_sealed_rows'),
        },
        {
          provide: LeftPlaces,
          inject: [Database],
          useFactory: (db: Database) => new LeftPlaces(db, 'left_places'),
        },
        built(ForgetService, Database, INDEX, SealedRows),
        built(ReviseService, Database, ForgetService, SealedRows),
        built(UndoService, Database, SealedRows, IndexingService, RememberService, Messenger, LOGGER),
        built(EraseService, Database, INDEX, Embeddings),
        built(ChangeService, Database, IndexingService, Messenger, SealedRows, LOGGER),
        {
          provide: ArchiveService,
          inject: [Database, INDEX, ForgetService, LOGGER],
          useFactory: (db: Database, held: VectorIndex, forgetting: ForgetService, logger: Logger) =>
            new ArchiveService(db, held, forgetting, keeping, logger),
        },
        built(CoreService, Database),
        built(DescriptionService, Database),
        built(PrivacyService, Database),
        built(LoreService, Database, Broadcasts),
        built(DocumentReader),
        built(DocumentService, Database, ImportService, ForgetService, DocumentReader),
        { provide: DailyCount, useValue: new DailyCount() },
        {
          provide: TurnLedger,
          inject: [Database],
          useFactory: (db: Database) => new TurnLedger(db, 'memory_handled_turns'),
        },
        built(Speakers, Database),
        built(RememberService, Database, Messenger, IndexingService, TurnLedger, Speakers, DailyCount),
        built(ImportService, Database, IndexingService, Speakers, Messenger, LOGGER),
        {
          provide: ExtractService,
          inject: [Database, IndexingService, Messenger, DegradedStates, LOGGER],
          useFactory: (
            db: Database,
            indexing: IndexingService,
            messenger: Messenger,
            states: DegradedStates,
            logger: Logger,
          ) => {
            const thread = new ReadingThread<typeof import('./truth/read-by-rules.js')>(RULES);
            const rules: ReadByRules = (line) => thread.call('readByRules', line);
            const read = readLinesBy(fast && readByModel(fast, states), rules, logger);
            return new ExtractService(db, indexing, messenger, read);
          },
        },
        built(UseCounter, Database, LOGGER),
        built(RecallService, Database, INDEX, Embeddings, UpkeepService, UseCounter, Speakers, LOGGER),
        built(ListService, Database, INDEX, Embeddings, UpkeepService, Messenger),
        {
          provide: ConsolidationService,
          inject: [Database, IndexingService, ForgetService, RecallService, DegradedStates],
          useFactory: (
            db: Database,
            indexing: IndexingService,
            forgetting: ForgetService,
            recall: RecallService,
            states: DegradedStates,
          ) =>
            new ConsolidationService(
              db,
              indexing,
              forgetting,
              recall,
              fast && summariseByModel(fast, states),
            ),
        },
        built(
          UpkeepService,
          Database,
          INDEX,
          Embeddings,
          IndexingService,
          ForgetService,
          ArchiveService,
          RetireSpaces,
          TurnLedger,
          Messenger,
          Broadcasts,
          INDEX_GAUGES,
          LOGGER,
        ),
      ],
    };
  }

  async onApplicationBootstrap(): Promise<void> {
    this.health.add('postgres', () => this.database.ping());
    this.health.add('index', () => this.index.check(), {
      part: 'vector-store',
      effect: 'recall goes by words alone, until the vector store is back',
    });
    this.health.add(
      'index-refilled',
      async () => {
        const { done, total } = this.upkeep.lacking ?? { done: 0, total: 0 };
        if (done < total) throw new Error(`${done} of ${total} memories are in the index`);
      },
      {
        part: 'vector-index',
        effect: 'the index of memories is being filled: recall goes by words until then',
      },
    );
    this.upkeep.start();
    this.models?.start(this.messenger, this.broadcasts);
    this.sealed.start();
    this.lore.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.sealed.stop();
    await this.upkeep.stop();
    this.lore.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    this.reader.close();
    await this.uses.settled();
    await this.database.close();
  }
}
