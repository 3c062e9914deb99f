import { z } from 'zod';
import { IsoTime } from './bounded-time.js';
import { defineJob, defineRequest } from './define.js';
import { erasePerson } from './erasure.js';
import { ForgetNamed, undoForget } from './forgetting.js';
import { leavePlaces } from './left-places.js';
import { LoreHit, LoreTexts } from './lore.contract.js';
import {
  Contradiction,
  CoreBlock,
  CoreEdit,
  CoreLabel,
  Degraded,
  DocumentFormat,
  DocumentView,
  ImportRecord,
  ImportResult,
  IndexState,
  MAX_IMPORT,
  MemoryChange,
  MemoryKind,
  MemoryShelf,
  MemoryView,
  Passage,
  PersonDescription,
  Privacy,
  RecalledMemory,
  ReindexProgress,
  Wish,
} from './memory-view.js';
import { MAX_TIMES_ASKED } from './private-turns.js';
import { MAX_EXPLAINED, RecallExplanation } from './recall-explanation.js';
import { NewTask, TaskChange, TaskView } from './task-view.js';
import { handleTurns, MAX_TURNS_IN_JOB, unfinishedTurns } from './turn-batch.js';
import { Audience, CompanionDay, CompanionId, MemoryId, PersonId, TurnId } from './words.js';

/** Key of a tool's call: the same call again changes nothing. */
const CallKey = z.string().min(1).max(120);

export const memoryContract = {
  /** Recalls what is worth knowing for this query, among what this audience may hear, best first. */
  recall: defineRequest('memory.recall', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId,
      audience: Audience,
      query: z.string().min(1).max(8_000),
      limit: z.number().int().min(1).max(100).default(8),
      maxTokens: z.number().int().positive().default(1_000),
      /** The asker's clock, so that recency can be replayed. */
      now: IsoTime,
      /** Pleasure of the mood in which it is asked, from -1 to 1. */
      mood: z.number().min(-1).max(1).optional(),
      /** A turn's own messages are in the transcript already: leave out what stems from these ids. */
      excludeSources: z.array(z.string()).max(200).default([]),
      /** False for a look from outside, which must not count as use. */
      countAsUse: z.boolean().default(true),
      /** Looks in the archive, too. */
      fromArchive: z.boolean().default(false),
      /** Tells core memory as well, which every prompt carries. */
      withCore: z.boolean().default(false),
      /** Tokens of the passages made of it: what was found and what was said beside it. 0: none are made. */
      passageTokens: z.number().int().min(0).max(8_000).default(0),
      /** Tells lore as well: what of the companion's world the talk calls up. */
      lore: LoreTexts.optional(),
      /** Candidates to be accounted for, with what became of each. 0: none are. */
      explain: z.number().int().min(0).max(MAX_EXPLAINED).default(0),
    }),
    response: z.object({
      memories: z.array(RecalledMemory),
      passages: z.array(Passage),
      /** Core memory, where it was asked for. */
      core: z.array(CoreBlock).default([]),
      /** Tasks that are not over, where core memory was asked for. */
      tasks: z.array(TaskView).default([]),
      /** Wishes that apply, where core memory was asked for. */
      wishes: z.array(Wish).default([]),
      /** Memories among those found that do not go together. */
      contradictions: z.array(Contradiction).default([]),
      lore: z.array(LoreHit).default([]),
      /** Null where it was not asked for. */
      explained: RecallExplanation.nullable().default(null),
      degraded: Degraded,
      tookMs: z.number(),
    }),
    timeoutMs: 3_000,
  }),
  /** A person's memories, newest first, page by page. */
  list: defineRequest('memory.list', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId.optional(),
      /** Only what this audience may hear: a list shown in a channel must not show a DM. */
      audience: Audience.default('direct'),
      kind: MemoryKind.optional(),
      shelf: MemoryShelf.optional(),
      /** For an export: facts with the times that each audience knows, so that an import tells no channel of a DM. */
      asKept: z.boolean().default(false),
      limit: z.number().int().min(1).max(200).default(50),
      /** `nextCursor` of the page before. */
      cursor: z.string().optional(),
    }),
    response: z.object({
      memories: z.array(MemoryView),
      nextCursor: z.string().nullable(),
      total: z.number().int(),
    }),
    timeoutMs: 3_000,
  }),
  /** Finds memories of a person that are really about this, for who wants them forgotten. */
  findToForget: defineRequest('memory.find-to-forget', {
    request: z.object({ personId: PersonId, companionId: CompanionId, query: z.string().min(1).max(2_000) }),
    response: z.object({ ids: z.array(MemoryId) }),
    timeoutMs: 5_000,
  }),
  /**
   * Removes memories from every store, with what was made of them; the gateway orders it, which has the talk forgotten
   * too. Unknown ids are counted as 0, not refused. The same order again answers the same.
   */
  forget: defineRequest('memory.forget', {
    request: z.object({
      orderId: z.uuid(),
      personId: PersonId,
      /** Null: of every companion. */
      companionId: CompanionId.nullable().default(null),
      what: ForgetNamed,
      /** Until when it can be had back; null: it is gone at once. */
      undoUntil: IsoTime.nullable().default(null),
      /** Only says what would go. */
      preview: z.boolean().default(false),
    }),
    response: z.object({
      rows: z.number().int(),
      points: z.number().int(),
      /** Of a preview: the first of what would go. */
      memories: z.array(MemoryView),
      /** The messages that it came from, by their doors' ids, and what is removed. */
      sources: z.array(z.string()),
      memoryIds: z.array(MemoryId),
    }),
    timeoutMs: 15_000,
  }),
  /**
   * Removes what was made of messages whose words were changed (`revision`) or deleted (null) at their door. What is
   * removed with them though other messages say it as well is named by those: they are to be remembered again.
   */
  revise: defineRequest('memory.revise', {
    request: z.object({
      orderId: z.uuid(),
      personId: PersonId,
      companionId: CompanionId,
      source: z.string(),
      /** From these words on it may be kept. */
      revision: z.number().int().nullable(),
      turnId: TurnId,
    }),
    response: z.object({ memoryIds: z.array(MemoryId), others: z.array(z.string()) }),
    timeoutMs: 10_000,
  }),
  /** Remembers turns again, of which something was removed that is not to be forgotten. */
  reread: defineRequest('memory.reread', {
    request: z.object({ personId: PersonId, turnIds: z.array(TurnId) }),
    response: z.object({}),
    timeoutMs: 5_000,
  }),
  undoForget: undoForget('memory.undo-forget'),
  leavePlaces: leavePlaces('memory.leave-places'),
  /** Forgets what anybody said before one audience: in a channel that the companion is not in any more. */
  forgetPlace: defineRequest('memory.forget-place', {
    request: z.object({ audience: Audience }),
    response: z.object({ people: z.number().int(), rows: z.number().int() }),
    timeoutMs: 60_000,
  }),
  /** Its owner corrects a memory, pins it, or has it kept in spite of a quarantine. */
  change: defineRequest('memory.change', {
    request: z.object({ personId: PersonId, id: MemoryId, change: MemoryChange }),
    response: MemoryView,
    timeoutMs: 3_000,
  }),
  /** Keeps a document in chunks that say where they stand. */
  addDocument: defineRequest('memory.add-document', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId,
      audience: Audience,
      title: z.string().min(1).max(120),
      format: DocumentFormat,
      content: z.string().min(1).max(1_000_000),
    }),
    response: DocumentView,
    timeoutMs: 60_000,
  }),
  documents: defineRequest('memory.documents', {
    request: z.object({ personId: PersonId }),
    response: z.object({ documents: z.array(DocumentView) }),
    timeoutMs: 3_000,
  }),
  removeDocument: defineRequest('memory.remove-document', {
    request: z.object({ personId: PersonId, documentId: z.uuid() }),
    response: z.object({ chunks: z.number().int() }),
    timeoutMs: 15_000,
  }),
  /** Describes a person as a page, as far as this audience may hear it. */
  describe: defineRequest('memory.describe', {
    request: z.object({ personId: PersonId, companionId: CompanionId, audience: Audience, now: IsoTime }),
    response: PersonDescription,
    timeoutMs: 5_000,
  }),
  /** Core memory of a person with a companion, before one audience. */
  core: defineRequest('memory.core', {
    request: z.object({ personId: PersonId, companionId: CompanionId, audience: Audience }),
    response: z.object({ blocks: z.array(CoreBlock) }),
    timeoutMs: 3_000,
  }),
  editCore: defineRequest('memory.edit-core', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId,
      audience: Audience,
      label: CoreLabel,
      edit: CoreEdit,
      by: z.enum(['person', 'companion', 'operator']),
      /** The messages it is written for: what is added goes when they are forgotten. */
      sources: z.array(z.string().min(1).max(200)).max(200).default([]),
      key: CallKey.optional(),
    }),
    response: CoreBlock,
    timeoutMs: 3_000,
  }),
  /** A person's tasks with companions, those that are not over first. */
  tasks: defineRequest('memory.tasks', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId.optional(),
      limit: z.int().min(1).max(200).default(50),
    }),
    response: z.object({ tasks: z.array(TaskView) }),
    timeoutMs: 3_000,
  }),
  addTask: defineRequest('memory.add-task', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId,
      audience: Audience,
      task: NewTask,
      by: z.enum(['companion', 'person']),
      /** The messages it is noted for: it goes when they are forgotten. */
      sources: z.array(z.string().min(1).max(200)).max(200).default([]),
      key: CallKey.optional(),
    }),
    response: TaskView,
    timeoutMs: 3_000,
  }),
  changeTask: defineRequest('memory.change-task', {
    request: z.object({
      personId: PersonId,
      /** Its id, or its number in talk with a companion. */
      which: z.union([
        z.object({ id: z.uuid() }),
        z.object({ companionId: CompanionId, audience: Audience, number: z.int().positive() }),
      ]),
      change: TaskChange,
      by: z.enum(['companion', 'person']),
      sources: z.array(z.string().min(1).max(200)).max(200).default([]),
      key: CallKey.optional(),
    }),
    response: TaskView,
    timeoutMs: 3_000,
  }),
  removeTask: defineRequest('memory.remove-task', {
    request: z.object({ personId: PersonId, id: z.uuid() }),
    response: z.object({ removed: z.int() }),
    timeoutMs: 3_000,
  }),
  /** Tasks of everybody, alone with a companion, that come due in this time. */
  dueTasks: defineRequest('memory.due-tasks', {
    request: z.object({ from: IsoTime, to: IsoTime, limit: z.int().min(1).max(500).default(100) }),
    response: z.object({
      tasks: z.array(z.object({ id: z.uuid(), personId: PersonId, companionId: CompanionId })),
    }),
    timeoutMs: 5_000,
  }),
  /** Is what this person says remembered? With `private`, from now on it is not, or is again. */
  privacy: defineRequest('memory.privacy', {
    request: z.object({ personId: PersonId, private: z.boolean().optional() }),
    response: Privacy,
    timeoutMs: 3_000,
  }),
  /** Names which of these turns were private talk. A service asks before it keeps any of their words. */
  wasPrivate: defineRequest('memory.was-private', {
    request: z.object({
      turns: z
        .array(z.object({ personId: PersonId, at: z.array(IsoTime).min(1).max(MAX_TIMES_ASKED) }))
        .min(1)
        .max(MAX_TURNS_IN_JOB),
    }),
    /** For each of them in their order: true when one of its times was private. */
    response: z.object({ wasPrivate: z.array(z.boolean()) }),
    timeoutMs: 3_000,
  }),
  /** Keeps lines that were said elsewhere, each once, and has them indexed. Safe to repeat. */
  import: defineRequest('memory.import', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId,
      records: z.array(ImportRecord).min(1).max(MAX_IMPORT),
    }),
    response: ImportResult,
    timeoutMs: 30_000,
  }),
  /** Reads a finished turn from the gateway and keeps what was said. */
  remember: handleTurns('memory.remember'),
  /**
   * Reads what people said since the last time for what holds of them. Ordered for one while that waits, it adds
   * nothing; for several, each order is its own.
   */
  extract: defineJob('memory.extract', {
    payload: z.object({
      whose: z
        .array(z.object({ personId: PersonId, companionId: CompanionId }))
        .min(1)
        .max(MAX_TURNS_IN_JOB),
      /** Tells the orders apart; without it, one that waits is enough. */
      orderedAt: IsoTime.optional(),
    }),
    idOf: ({ whose, orderedAt }) =>
      [
        whose[0]?.personId,
        whose[0]?.companionId,
        ...(orderedAt ? [whose.length, Date.parse(orderedAt)] : []),
      ].join('-'),
    partsOf: ({ whose }) => whose.map((one) => ({ whose: [one] })),
    concurrency: 2,
  }),
  /** Of these turns, which are not remembered yet? */
  unfinished: unfinishedTurns('memory.unfinished'),
  /** Memories with their points, core memory, documents, and what was ordered about them: erased, or counted. */
  erase: erasePerson('memory.erase'),
  /** Merges a day's repetitions into one and writes the day's reflection. Safe to repeat. */
  consolidate: defineJob('memory.consolidate', {
    payload: CompanionDay.extend({ personId: PersonId }),
    idOf: ({ personId, companionId, day }) => `${personId}-${companionId}-${day}`,
    concurrency: 1,
  }),
  /** Lists people whose memories of a companion grew in that time: those its night visits. */
  active: defineRequest('memory.active', {
    request: z.object({ companionId: CompanionId, from: IsoTime, to: IsoTime }),
    response: z.object({ personIds: z.array(PersonId) }),
    timeoutMs: 5_000,
  }),
  /**
   * Makes the vector index equal to Postgres, in the space now in use, while both are used. One at a time: ordered
   * while it runs, it adds nothing.
   */
  reindex: defineJob('memory.reindex', {
    payload: z.object({}),
    idOf: () => 'reindex',
    concurrency: 1,
  }),
  /** State of the index beside the rows. */
  index: defineRequest('memory.index', {
    request: z.object({}),
    response: IndexState,
    timeoutMs: 5_000,
  }),
  /** Makes the index ready for the space in use, with nothing in it if it is new. Safe to repeat. */
  init: defineRequest('memory.init', {
    request: z.object({}),
    response: IndexState,
    timeoutMs: 15_000,
  }),
  /** Counts for health and for `kith memories`. */
  stats: defineRequest('memory.stats', {
    request: z.object({ personId: PersonId.optional() }),
    response: z.object({
      memories: z.number().int(),
      indexed: z.number().int(),
      space: z.string(),
      index: z.enum(['qdrant', 'exact']),
      /** The run of reindex that is under way, if one is. */
      reindexing: ReindexProgress.nullable(),
    }),
    timeoutMs: 5_000,
  }),
};
