import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { defineJob, defineRequest, type RequestContract } from './define.js';
import type { RequestOutput, ResponseInput } from './define.js';
import { LoreHit, LoreTexts } from './lore.contract.js';
import { DocumentContent, DocumentFormat, DocumentView } from '../views/document-view.js';
import {
  AmendOutcome,
  Contradiction,
  CoreBlock,
  CoreEdit,
  CoreLabel,
  ImportRecord,
  ImportResult,
  MAX_IMPORT,
  MemoryChange,
  MemoryKind,
  MemoryList,
  MemoryShelf,
  MemoryView,
  PersonDescription,
  PromptCore,
  Wish,
} from '../views/memory-view.js';
import { Degraded, Passage, RecalledMemory } from '../views/recalled-memory.js';
import { NOTED_FROM } from '../values/noted-from.js';
import { MAX_EXPLAINED, RecallExplanation } from '../views/recall-explanation.js';
import { TaskView } from '../views/task-view.js';
import { handleTurns, MAX_TURNS_IN_JOB, unfinishedTurns } from './turn-batch.js';
import { Audience, CallKey, CompanionDay, CompanionId, MemoryId, PersonId, Uuid } from '../values/words.js';
import { memoryForgetting } from './memory-forgetting.contract.js';
import { memoryTasks } from './memory-tasks.contract.js';
import { memoryIndex } from './memory-index.contract.js';

export const memoryContract = {
  ...memoryForgetting,
  ...memoryTasks,
  ...memoryIndex,
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
      /** Talk that is in the prompt anyway: its lines get no passage, and only the best of them are named. */
      told: z.object({ conversation: z.string(), since: IsoTime }).optional(),
      /** False for a look from outside, which must not count as use. */
      countAsUse: z.boolean().default(true),
      /** Looks in the archive, too, and for words in every language: a search by whom the memories are of. */
      fromArchive: z.boolean().default(false),
      /** Returns core memory as well, which every prompt carries. */
      withCore: z.boolean().default(false),
      /** Tokens of the passages made of it: what was found and what was said beside it. 0: none are made. */
      passageTokens: z.number().int().min(0).max(8_000).default(0),
      /** Returns lore as well: pieces of the companion's world that the talk calls up. */
      lore: LoreTexts.optional(),
      /** Candidates to be accounted for, with what became of each. 0: none are. */
      explain: z.number().int().min(0).max(MAX_EXPLAINED).default(0),
    }),
    response: z.object({
      memories: z.array(RecalledMemory),
      passages: z.array(Passage),
      /** Core memory, where it was asked for. */
      core: z.array(PromptCore).default([]),
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
  }),
  /** A person's memories, newest first, page by page; those of an export by their ids. */
  list: defineRequest('memory.list', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId.optional(),
      /** Only what this audience may hear: a list shown in a channel must not show a DM. */
      audience: Audience.default('direct'),
      kind: MemoryKind.optional(),
      shelf: MemoryShelf.optional(),
      /**
       * For an export: in an order that nothing said between two pages changes, and facts with the times that each
       * audience knows, so that an import tells no channel of a DM.
       */
      asKept: z.boolean().default(false),
      limit: z.number().int().min(1).max(200).default(50),
      /** `nextCursor` of the page before. */
      cursor: z.string().optional(),
    }),
    response: MemoryList,
  }),
  /** Its owner corrects a memory, pins it, or has it kept in spite of a quarantine. */
  change: defineRequest('memory.change', {
    request: z.object({ personId: PersonId, id: MemoryId, change: MemoryChange }),
    response: MemoryView,
  }),
  /**
   * Corrects a memory, or takes it back, as its person asks the companion in their own words. It is named by its words,
   * and is of this audience alone. The same call again changes nothing.
   */
  amend: defineRequest('memory.amend', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId,
      audience: Audience,
      old: z.string().trim().min(1).max(1_000),
      /** Words it should say; null where it is taken back. */
      text: z.string().trim().min(1).max(1_000).nullable(),
      /** The person's own words of this turn, without what they quote. */
      said: z.array(z.string().max(1_000)).max(50),
      companionName: z.string().min(1).max(100),
      /** The messages it is asked for in: a correction goes when they are forgotten. */
      ...NOTED_FROM,
      key: CallKey,
    }),
    response: z.object({ outcome: AmendOutcome }),
    timeoutMs: 5_000,
  }),
  /** Memories of a person's that do not go together, as this audience may hear them, the newest first. */
  unsettled: defineRequest('memory.unsettled', {
    request: z.object({ personId: PersonId, companionId: CompanionId, audience: Audience }),
    response: z.object({ contradictions: z.array(Contradiction) }),
    timeoutMs: 5_000,
  }),
  /** Keeps a document in chunks that say where they stand. */
  addDocument: defineRequest('memory.add-document', {
    request: z.object({
      /** Made anew for each adding: by it a request that is taken over is known. */
      requestId: Uuid,
      personId: PersonId,
      companionId: CompanionId,
      audience: Audience,
      title: z.string().min(1).max(120),
      format: DocumentFormat,
      content: DocumentContent,
    }),
    response: DocumentView,
    timeoutMs: 60_000,
  }),
  documents: defineRequest('memory.documents', {
    request: z.object({ personId: PersonId }),
    response: z.object({ documents: z.array(DocumentView) }),
  }),
  /** Describes a person as a page, as far as this audience may hear it. */
  describe: defineRequest('memory.describe', {
    request: z.object({ personId: PersonId, companionId: CompanionId, audience: Audience, now: IsoTime }),
    response: PersonDescription,
    timeoutMs: 5_000,
  }),
  /**
   * Core memory of a person with a companion: of one audience, or, with null, of all for its owner, without servers that
   * the app has left.
   */
  core: defineRequest('memory.core', {
    request: z.object({ personId: PersonId, companionId: CompanionId, audience: Audience.nullable() }),
    response: z.object({ blocks: z.array(CoreBlock) }),
  }),
  editCore: defineRequest('memory.edit-core', {
    request: z.object({
      personId: PersonId,
      companionId: CompanionId,
      audience: Audience,
      label: CoreLabel,
      edit: CoreEdit,
      by: z.enum(['person', 'companion', 'operator']),
      ...NOTED_FROM,
      key: CallKey.optional(),
    }),
    response: CoreBlock,
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
   * Reads what people said since the last time for what holds of them. Each order is a job of its own: under an id that
   * comes again, the next order would take the failed one, which tells the operator of a line left unread, off the list.
   */
  extract: defineJob('memory.extract', {
    payload: z.object({
      whose: z
        .array(z.object({ personId: PersonId, companionId: CompanionId }))
        .min(1)
        .max(MAX_TURNS_IN_JOB),
      orderedAt: IsoTime.default(() => new Date().toISOString()),
    }),
    idOf: ({ whose, orderedAt }) =>
      [whose[0]?.personId, whose[0]?.companionId, whose.length, Date.parse(orderedAt)].join('-'),
    partsOf: ({ whose, orderedAt }) => whose.map((one) => ({ whose: [one], orderedAt })),
    concurrency: 2,
  }),
  /** Returns the turns that are not remembered yet. */
  unfinished: unfinishedTurns('memory.unfinished'),
  /**
   * Merges the repetitions that were said or stored on a day, and writes the reflection of what was said on it. Safe to
   * repeat. A day of more repetitions than one run asks about goes on in a further job, behind the memory that was asked
   * about last (`after`).
   */
  consolidate: defineJob('memory.consolidate', {
    payload: CompanionDay.extend({ personId: PersonId, after: Uuid.optional() }),
    idOf: ({ personId, companionId, day, after }) =>
      [personId, companionId, day, ...(after ? [after] : [])].join('-'),
    concurrency: 1,
  }),
  /** Lists people whose memories of a companion grew in that time: those its night visits. */
  active: defineRequest('memory.active', {
    request: z.object({ companionId: CompanionId, from: IsoTime, to: IsoTime }),
    response: z.object({ personIds: z.array(PersonId) }),
    timeoutMs: 5_000,
  }),
};

type Requests<Name extends keyof typeof memoryContract> = Extract<
  (typeof memoryContract)[Name],
  RequestContract
>;

export type MemoryRequest<Name extends keyof typeof memoryContract> = RequestOutput<Requests<Name>>;
export type MemoryAnswer<Name extends keyof typeof memoryContract> = ResponseInput<Requests<Name>>;
