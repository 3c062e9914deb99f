import { Controller } from '@nestjs/common';
import { memoryContract, type PayloadOutput, type RequestOutput } from '@kith/contracts';
import { Database, LeftPlaces, TurnLedger } from '@kith/database';
import { Answers, type JobRun, Messenger, Works } from '@kith/messaging';
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

@Controller()
export class MemoryController {
  constructor(
    private readonly recall: Recaller,
    private readonly lists: MemoryLister,
    private readonly forgetting: Forgetter,
    private readonly revising: Reviser,
    private readonly undoing: ForgottenRestorer,
    private readonly erasing: Eraser,
    private readonly documents: DocumentKeeper,
    private readonly core: CoreKeeper,
    private readonly tasks: TaskKeeper,
    private readonly descriptions: PersonDescriber,
    private readonly privacy: PrivacyKeeper,
    private readonly changes: MemoryChanger,
    private readonly amending: MemoryAmender,
    private readonly remembering: EpisodeKeeper,
    private readonly imports: MemoryImporter,
    private readonly extraction: FactExtractor,
    private readonly consolidation: Consolidator,
    private readonly reindexer: Reindexer,
    private readonly lore: LoreKeeper,
    private readonly database: Database,
    private readonly left: LeftPlaces,
    private readonly ledger: TurnLedger,
    private readonly messenger: Messenger,
  ) {}

  @Answers(memoryContract.recall)
  async onRecall(request: RequestOutput<typeof memoryContract.recall>) {
    const { companionId, lore } = request;
    const [recalled, called] = await Promise.all([
      this.recall.recall(request),
      // Without lore, memories are still answered.
      lore && this.lore.match({ companionId, ...lore }).catch(() => null),
    ]);
    return { ...recalled, lore: called?.hits ?? [] };
  }

  @Answers(memoryContract.list)
  onList(request: RequestOutput<typeof memoryContract.list>) {
    return this.lists.list(request);
  }

  @Answers(memoryContract.findToForget)
  async onFindToForget(request: RequestOutput<typeof memoryContract.findToForget>) {
    return { ids: await findToForget(request, this.recall, this.database) };
  }

  @Answers(memoryContract.forget)
  async onForget(request: RequestOutput<typeof memoryContract.forget>) {
    const done = await this.forgetting.forget(request);
    // The words stand in this request and its answer, which Redis deletes but its file on disk still holds.
    if (!request.preview) this.messenger.scrubDisk();
    return done;
  }

  @Answers(memoryContract.undoForget)
  onUndoForget(request: RequestOutput<typeof memoryContract.undoForget>) {
    return this.undoing.undo(request);
  }

  @Answers(memoryContract.revise)
  onRevise(request: RequestOutput<typeof memoryContract.revise>) {
    return this.revising.revise(request);
  }

  @Answers(memoryContract.reread)
  async onReread({ personId, turnIds }: RequestOutput<typeof memoryContract.reread>) {
    await this.remembering.reread(personId, turnIds);
    return {};
  }

  @Answers(memoryContract.leavePlaces)
  async onLeavePlaces({ audiences, left }: RequestOutput<typeof memoryContract.leavePlaces>) {
    await this.left.note(audiences, left);
    return {};
  }

  @Answers(memoryContract.findNoted)
  onFindNoted(request: RequestOutput<typeof memoryContract.findNoted>) {
    return findNoted(this.database, request);
  }

  @Answers(memoryContract.forgetPlace)
  onForgetPlace(request: RequestOutput<typeof memoryContract.forgetPlace>) {
    return forgetPlace(this.database, this.forgetting, request);
  }

  @Answers(memoryContract.erase)
  onErase(request: RequestOutput<typeof memoryContract.erase>) {
    return this.erasing.erase(request);
  }

  @Answers(memoryContract.change)
  onChange(request: RequestOutput<typeof memoryContract.change>) {
    return this.changes.change(request);
  }

  @Answers(memoryContract.amend)
  onAmend(request: RequestOutput<typeof memoryContract.amend>) {
    return this.amending.amend(request);
  }

  @Answers(memoryContract.unsettled)
  async onUnsettled(scope: RequestOutput<typeof memoryContract.unsettled>) {
    return { contradictions: await readUnsettled(this.database, scope) };
  }

  @Answers(memoryContract.core)
  async onCore(request: RequestOutput<typeof memoryContract.core>) {
    return { blocks: await this.core.read(request) };
  }

  @Answers(memoryContract.tasks)
  onTasks(request: RequestOutput<typeof memoryContract.tasks>) {
    return this.tasks.list(request);
  }

  @Answers(memoryContract.addTask)
  onAddTask(request: RequestOutput<typeof memoryContract.addTask>) {
    return this.tasks.add(request);
  }

  @Answers(memoryContract.changeTask)
  onChangeTask(request: RequestOutput<typeof memoryContract.changeTask>) {
    return this.tasks.change(request);
  }

  @Answers(memoryContract.removeTask)
  onRemoveTask(request: RequestOutput<typeof memoryContract.removeTask>) {
    return this.tasks.remove(request);
  }

  @Answers(memoryContract.dueTasks)
  onDueTasks(request: RequestOutput<typeof memoryContract.dueTasks>) {
    return this.tasks.due(request);
  }

  @Answers(memoryContract.editCore)
  onEditCore(request: RequestOutput<typeof memoryContract.editCore>) {
    return this.core.edit(request);
  }

  @Answers(memoryContract.addDocument)
  onAddDocument(request: RequestOutput<typeof memoryContract.addDocument>) {
    return this.documents.add(request);
  }

  @Answers(memoryContract.documents)
  async onDocuments(request: RequestOutput<typeof memoryContract.documents>) {
    return { documents: await this.documents.list(request) };
  }

  @Answers(memoryContract.privacy)
  onPrivacy(request: RequestOutput<typeof memoryContract.privacy>) {
    return this.privacy.privacy(request);
  }

  @Answers(memoryContract.whyNotNoted)
  onWhyNotNoted(request: RequestOutput<typeof memoryContract.whyNotNoted>) {
    return this.privacy.whyNotNoted(request);
  }

  @Answers(memoryContract.wasPrivate)
  async onWasPrivate(request: RequestOutput<typeof memoryContract.wasPrivate>) {
    return { wasPrivate: await this.privacy.wasPrivate(request) };
  }

  @Answers(memoryContract.describe)
  onDescribe(request: RequestOutput<typeof memoryContract.describe>) {
    return this.descriptions.describe(request);
  }

  @Answers(memoryContract.init)
  onInit() {
    return this.lists.init();
  }

  @Answers(memoryContract.import)
  onImport(request: RequestOutput<typeof memoryContract.import>) {
    return this.imports.import(request);
  }

  @Answers(memoryContract.active)
  onActive(request: RequestOutput<typeof memoryContract.active>) {
    return this.lists.active(request);
  }

  @Answers(memoryContract.stats)
  onStats(request: RequestOutput<typeof memoryContract.stats>) {
    return this.lists.stats(request);
  }

  @Answers(memoryContract.unfinished)
  async onUnfinished({ turnIds }: RequestOutput<typeof memoryContract.unfinished>) {
    const unfinished = await this.ledger.missing(turnIds);
    return { unfinished, dead: await this.messenger.deadTurns(memoryContract.remember, unfinished) };
  }

  @Answers(memoryContract.index)
  onIndex() {
    return this.lists.indexState();
  }

  @Works(memoryContract.remember)
  async onRemember({ turnIds }: PayloadOutput<typeof memoryContract.remember>): Promise<void> {
    await this.remembering.remember(turnIds);
  }

  @Works(memoryContract.extract)
  async onExtract(
    { whose }: PayloadOutput<typeof memoryContract.extract>,
    { suspect }: JobRun,
  ): Promise<void> {
    await this.extraction.extract(whose, suspect);
  }

  @Works(memoryContract.consolidate)
  async onConsolidate(which: PayloadOutput<typeof memoryContract.consolidate>): Promise<void> {
    const after = await this.consolidation.consolidate(which);
    if (after !== null) await this.messenger.enqueue(memoryContract.consolidate, { ...which, after });
  }

  @Works(memoryContract.reindex)
  async onReindex(): Promise<void> {
    await this.reindexer.reindex();
  }
}
