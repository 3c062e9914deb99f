import { join } from 'node:path';
import { Database, LeftPlaces, SealedRows, TurnLedger } from '@kith/database';
import { CallHooks, createModelRoles, type HookList, ModelChoices } from '@kith/llm';
import { ReadingThread } from '@kith/reading';
import { FollowedModels, type Host, type Token, UsageBook } from '@kith/service-host';
import type { Config } from './config.js';
import { Consolidator } from './consolidation/consolidator.js';
import { summariseByModel, summariseTopicByModel } from './consolidation/summarise-by-model.js';
import { DocumentReader } from './documents/document-reader.js';
import { FactExtractor } from './facts/fact-extractor.js';
import { readByModel } from './facts/read-by-model.js';
import { readLinesBy, type ReadByRules } from './facts/read-lines.js';
import { Forgetter } from './forget/forgetter.js';
import { Embeddings } from './index/embeddings.js';
import { indexGauges } from './index/index-gauges.js';
import { IndexWriter } from './index/index-writer.js';
import { ReindexMonitor } from './index/reindex-monitor.js';
import { LoreKeeper } from './lore/lore-keeper.js';
import { Reindexer } from './maintenance/reindexer.js';
import { Upkeep } from './maintenance/upkeep.js';
import { openIndex } from './open-index.js';
import { MemoryLister } from './owner/memory-lister.js';
import { MemoryFinder } from './recall/memory-finder.js';
import { Recaller } from './recall/recaller.js';
import { UseCounter } from './recall/use-counter.js';
import { DailyCount } from './remember/daily-count.js';
import { EpisodeKeeper } from './remember/episode-keeper.js';
import { MemoryImporter } from './remember/memory-importer.js';
import { ReadingOrders } from './remember/reading-orders.js';
import { SpeakerNames } from './rows/speaker-names.js';
import { UsualLanguages } from './rows/usual-languages.js';
import { TaskKeeper } from './tasks/task-keeper.js';

/** All parts of memory, by name. */
export type Parts = Awaited<ReturnType<typeof makeParts>>;

/** Key under which controllers find them. */
export const PARTS: Token<Parts> = Symbol('PARTS');

/** Compiled rules, since a thread runs no TypeScript. */
const RULES = join(import.meta.dirname, '../dist/facts/read-by-rules.js');

/** Makes every part of memory of those before it, from what stores to what acts. */
export async function makeParts(config: Config, hooks: HookList, host: Host) {
  const { messenger, broadcasts, states, metrics, logger } = host;
  const usage = new UsageBook();
  const choices = new ModelChoices();
  const followed = new FollowedModels((chosen) => choices.set(chosen));
  const onGone = (label: string) => followed.replace(label);
  const counted = new CallHooks([(call) => usage.note(call)], hooks, ({ account }) => usage.isSpent(account));
  const { fast } = createModelRoles(config.models, { choices, onGone }, counted);
  const thread = new ReadingThread<typeof import('./facts/read-by-rules.js')>(RULES);
  const rules: ReadByRules = (line) => thread.call('readByRules', line);
  const readLines = readLinesBy(fast && readByModel(fast, states), rules, logger);

  // What is stored, and found again.
  const database = new Database(config.database);
  const sealed = new SealedRows(database, 'memory_sealed_rows');
  const left = new LeftPlaces(database, 'left_places');
  const ledger = new TurnLedger(database, 'memory_handled_turns');
  const speakers = new SpeakerNames(database);
  const usual = new UsualLanguages(database);
  const index = await openIndex(config.index, database, logger);
  const gauges = indexGauges(metrics);
  const embeddings = new Embeddings(messenger, states, database);
  const reindexing = new ReindexMonitor(broadcasts, gauges);
  const writer = new IndexWriter(database, index, embeddings, logger);

  // What is noted.
  const reader = new DocumentReader();
  const tasks = new TaskKeeper(database);
  const lore = new LoreKeeper(database, broadcasts);
  const reading = new ReadingOrders(messenger);
  const extraction = new FactExtractor(database, writer, messenger, readLines);
  const noting = { database, messenger, writer, ledger, speakers, reading };
  const counts = new DailyCount();
  const remembering = new EpisodeKeeper({ ...noting, counts, readAfterMs: config.factsAfterMs });
  const imports = new MemoryImporter(database, writer, speakers, reading, logger);

  // What is recalled, forgotten, merged and kept in order.
  const forgetting = new Forgetter(database, index, sealed);
  const lists = new MemoryLister(database, index, embeddings, reindexing, messenger);
  const uses = new UseCounter(database, logger);
  const finder = new MemoryFinder({ database, index, embeddings, reindexing, speakers, usual, left, logger });
  const recall = new Recaller(database, index, finder, left, uses);
  const consolidation = new Consolidator({
    database,
    writer,
    forgetting,
    recall,
    summarise: fast && summariseByModel(fast, states),
    summariseTopic: fast && summariseTopicByModel(fast, states),
  });
  const indexing = { database, index, embeddings, forgetting, monitor: reindexing, logger };
  const reindexer = new Reindexer({ ...indexing, writer });
  const upkeep = new Upkeep({ ...indexing, ledger, messenger, gauges }, config.retention);

  return {
    ...host,
    /** Follows the gateway's choice of models; null without a fast model. */
    models: fast ? followed : null,
    usage,
    database,
    sealed,
    left,
    ledger,
    speakers,
    index,
    gauges,
    embeddings,
    reindexing,
    writer,
    reader,
    tasks,
    lore,
    extraction,
    remembering,
    imports,
    forgetting,
    lists,
    uses,
    recall,
    consolidation,
    reindexer,
    upkeep,
  };
}
