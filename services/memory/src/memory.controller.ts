import { memoryContract } from '@kith/contracts';
import { Database, LeftPlaces, TurnLedger } from '@kith/database';
import { Messenger } from '@kith/messaging';
import { handleContract } from '@kith/service-host';
import { Consolidator } from './consolidation/consolidator.js';
import { MemoryAmender } from './owner/memory-amender.js';
import { MemoryChanger } from './owner/memory-changer.js';
import { CoreKeeper } from './core/core-keeper.js';
import { TaskKeeper } from './tasks/task-keeper.js';
import { Eraser } from './forget/eraser.js';
import { findToForget } from './recall/find-to-forget.js';
import { findNoted } from './forget/find-noted.js';
import { forgetPlace } from './forget/forget-place.js';
import { Forgetter } from './forget/forgetter.js';
import { Reviser } from './forget/reviser.js';
import { ForgottenRestorer } from './forget/forgotten-restorer.js';
import { PersonDescriber } from './owner/person-describer.js';
import { DocumentKeeper } from './documents/document-keeper.js';
import { Reindexer } from './maintenance/reindexer.js';
import { PrivacyKeeper } from './owner/privacy-keeper.js';
import { LoreKeeper } from './lore/lore-keeper.js';
import { MemoryLister } from './owner/memory-lister.js';
import { readUnsettled } from './recall/read-unsettled.js';
import { Recaller } from './recall/recaller.js';
import { MemoryImporter } from './remember/memory-importer.js';
import { EpisodeKeeper } from './remember/episode-keeper.js';
import { FactExtractor } from './facts/fact-extractor.js';

export const MemoryController = handleContract(
  memoryContract,
  {},
  {
    ...{ recall: Recaller, lists: MemoryLister, forgetting: Forgetter, revising: Reviser },
    ...{ undoing: ForgottenRestorer, erasing: Eraser, documents: DocumentKeeper, core: CoreKeeper },
    ...{ tasks: TaskKeeper, descriptions: PersonDescriber, privacy: PrivacyKeeper, changes: MemoryChanger },
    ...{ amending: MemoryAmender, remembering: EpisodeKeeper, imports: MemoryImporter },
    ...{ extraction: FactExtractor, consolidation: Consolidator, reindexer: Reindexer, lore: LoreKeeper },
    ...{ database: Database, left: LeftPlaces, ledger: TurnLedger, messenger: Messenger },
  },
  (parts) => ({
    recall: async (request) => {
      const { companionId, lore } = request;
      const [recalled, called] = await Promise.all([
        parts.recall.recall(request),
        // Without lore, memories are still answered.
        lore && parts.lore.match({ companionId, ...lore }).catch(() => null),
      ]);
      return { ...recalled, lore: called?.hits ?? [] };
    },
    list: (request) => parts.lists.list(request),
    findToForget: async (request) => ({ ids: await findToForget(request, parts.recall, parts.database) }),
    forget: async (request) => {
      const done = await parts.forgetting.forget(request);
      // The words stand in this request and its answer, which Redis deletes but its file on disk still holds.
      if (!request.preview) parts.messenger.scrubDisk();
      return done;
    },
    undoForget: (request) => parts.undoing.undo(request),
    revise: (request) => parts.revising.revise(request),
    reread: async ({ personId, turnIds }) => {
      await parts.remembering.reread(personId, turnIds);
      return {};
    },
    leavePlaces: async ({ audiences, left }) => {
      await parts.left.note(audiences, left);
      return {};
    },
    findNoted: (request) => findNoted(parts.database, request),
    forgetPlace: (request) => forgetPlace(parts.database, parts.forgetting, request),
    erase: (request) => parts.erasing.erase(request),
    change: (request) => parts.changes.change(request),
    amend: (request) => parts.amending.amend(request),
    unsettled: async (scope) => ({ contradictions: await readUnsettled(parts.database, scope) }),
    core: async (request) => ({ blocks: await parts.core.read(request) }),
    tasks: (request) => parts.tasks.list(request),
    addTask: (request) => parts.tasks.add(request),
    changeTask: (request) => parts.tasks.change(request),
    removeTask: (request) => parts.tasks.remove(request),
    dueTasks: (request) => parts.tasks.due(request),
    editCore: (request) => parts.core.edit(request),
    addDocument: (request) => parts.documents.add(request),
    documents: async (request) => ({ documents: await parts.documents.list(request) }),
    privacy: (request) => parts.privacy.privacy(request),
    whyNotNoted: (request) => parts.privacy.whyNotNoted(request),
    wasPrivate: async (request) => ({ wasPrivate: await parts.privacy.wasPrivate(request) }),
    describe: (request) => parts.descriptions.describe(request),
    init: () => parts.lists.init(),
    import: (request) => parts.imports.import(request),
    active: (request) => parts.lists.active(request),
    stats: (request) => parts.lists.stats(request),
    unfinished: async ({ turnIds }) => {
      const unfinished = await parts.ledger.missing(turnIds);
      return { unfinished, dead: await parts.messenger.deadTurns(memoryContract.remember, unfinished) };
    },
    index: () => parts.lists.indexState(),
    remember: async ({ turnIds }) => {
      await parts.remembering.remember(turnIds);
    },
    extract: async ({ whose }, { suspect }) => {
      await parts.extraction.extract(whose, suspect);
    },
    consolidate: async (which) => {
      const after = await parts.consolidation.consolidate(which);
      if (after !== null) await parts.messenger.enqueue(memoryContract.consolidate, { ...which, after });
    },
    reindex: async () => {
      await parts.reindexer.reindex();
    },
  }),
);
