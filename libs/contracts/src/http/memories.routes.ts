import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { ForgetResult, UndoableList, UndoResult } from '../rpc/forgetting.js';
import {
  CoreBlock,
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
  Privacy,
  Wish,
} from '../views/memory-view.js';
import { Degraded, Passage, RecalledMemory } from '../views/recalled-memory.js';
import { IndexState } from '../rpc/memory-index.contract.js';
import { LoreHit } from '../rpc/lore.contract.js';
import { MAX_EXPLAINED, RecallExplanation } from '../views/recall-explanation.js';
import { Audience, CompanionId, MemoryId, PersonId, Uuid } from '../values/words.js';
import { addressFlag, addressNumber, PageLimit, TimeCursor } from './page.js';
import { get, patch, post, put, type Routes } from './route.js';

export const MemorySearchResult = z.object({
  memories: z.array(RecalledMemory),
  /** True where recall found as many as it may: what fits worse, also of the kind asked for, was left out. */
  isFull: z.boolean(),
  degraded: Degraded,
  tookMs: z.number(),
});
/** Account of the recall for a question, and what of it would stand in the prompt. */
export const MemoryWhy = RecallExplanation.extend({
  /** Memories with what was said beside them, as the prompt would show them. */
  passages: z.array(Passage),
  core: z.array(CoreBlock).describe('core memory, which every prompt carries'),
  wishes: z.array(Wish).describe('orders about how to answer, and preferences, that apply'),
  lore: z.array(LoreHit).describe('lore that the question calls up'),
  /** Bounds of what was chosen: by number, and by tokens. */
  bounds: z.object({ limit: z.number().int(), tokens: z.number().int() }),
  degraded: Degraded,
  tookMs: z.number(),
});
export type MemoryWhy = z.infer<typeof MemoryWhy>;
/** Lines that were said elsewhere, to be remembered. */
export const ImportRequest = z.strictObject({
  companion: CompanionId.optional(),
  records: z.array(ImportRecord).min(1).max(MAX_IMPORT),
});

export const ForgetRequest = z.strictObject({
  companion: CompanionId.optional(),
  ids: z
    .array(MemoryId)
    .min(1)
    .max(500)
    .optional()
    .describe('memories to forget; exactly one of `ids`, `messageIds`, `period`, `query` and `all` is given'),
  messageIds: z.array(z.string().min(1)).min(1).max(500).optional(),
  period: z.strictObject({ from: IsoTime, to: IsoTime }).optional(),
  query: z.string().trim().min(1).max(2_000).optional(),
  all: z.literal(true).optional(),
  keepTalk: z.boolean().default(false).describe('keep the talk they came from in prompts'),
  preview: z.boolean().default(false).describe('only say what would go'),
});
export const UndoRequest = z.strictObject({ receipt: Uuid });
export const CoreMemory = z.object({ blocks: z.array(CoreBlock) });
export const CoreRequest = z.strictObject({ companion: CompanionId.optional(), text: z.string().max(4_000) });
export const OwnCoreRequest = CoreRequest.extend({
  audience: Audience.default('direct').describe(
    'place whose block is written: only prompts of that place carry it',
  ),
  basedOn: z
    .string()
    .max(4_000)
    .optional()
    .describe(
      'text of the block as it was read, empty where there was none: where it says something else by now, it stays as it is',
    ),
});

/** With `private`, nothing is remembered from now on, or again. */
export const PrivacyRequest = z.strictObject({ private: z.boolean() });

const WithCompanion = z.strictObject({
  companion: CompanionId.optional().describe('whose; the default companion’s otherwise'),
});

export const memoryRoutes = {
  list: get('/v1/memories', 'memories', {
    summary: 'Memories of you, newest first',
    query: z.strictObject({
      companion: CompanionId.optional().describe('one companion’s alone'),
      kind: MemoryKind.optional().describe('one kind alone'),
      shelf: MemoryShelf.optional().describe('open, quarantine, archive or withdrawn'),
      asKept: addressFlag()
        .prefault(false)
        .describe(
          'true for an export: in an order that nothing said meanwhile changes, and facts with the times that each audience knows',
        ),
      limit: PageLimit,
      cursor: TimeCursor.optional().describe('`nextCursor` of the page before'),
    }),
    answer: MemoryList,
  }),
  search: get('/v1/memories/search', 'memories', {
    summary: 'Search as recall does, with the parts of each score',
    query: z.strictObject({
      q: z.string().trim().min(1).max(2_000).describe('what to look for'),
      companion: CompanionId.optional().describe('whose memories'),
      limit: addressNumber(1, 100).prefault(10).describe('at most this many'),
      kind: MemoryKind.optional().describe('one kind alone'),
      archive: addressFlag().prefault(false).describe('true: what was archived, too'),
    }),
    answer: MemorySearchResult,
  }),
  why: get('/v1/memories/why', 'memories', {
    summary:
      'Account for the recall of a question: every candidate with its score, what was cut and why, and what would stand in the prompt',
    query: z.strictObject({
      q: z.string().trim().min(1).max(2_000).describe('the question'),
      companion: CompanionId.optional().describe('whose memories'),
      in: Audience.default('direct').describe('where it is asked: `direct`, or a channel'),
      limit: addressNumber(1, 100)
        .optional()
        .describe('choose at most this many; as many as a turn does otherwise'),
      tokens: addressNumber(1, 8_000)
        .optional()
        .describe('tokens of what is chosen; as many as a turn has otherwise'),
      show: addressNumber(1, MAX_EXPLAINED).prefault(40).describe('account for at most so many candidates'),
    }),
    answer: MemoryWhy,
  }),
  change: patch('/v1/memories/{id}', 'memories', {
    summary: 'Correct a memory, pin it, or have it kept in spite of a quarantine',
    params: z.strictObject({ id: MemoryId }),
    body: MemoryChange,
    answer: MemoryView,
    errors: ['conflict'],
  }),
  privacy: get('/v1/memories/privacy', 'memories', {
    summary: 'Tells if what you say is remembered',
    answer: Privacy,
  }),
  changePrivacy: put('/v1/memories/privacy', 'memories', {
    summary: 'Stop remembering what you say from now on, or remember it again',
    body: PrivacyRequest,
    answer: Privacy,
  }),
  core: get('/v1/memories/core', 'memories', {
    summary: 'Core memory: what every prompt carries of you, alone with the companion and in each channel',
    query: WithCompanion,
    answer: CoreMemory,
  }),
  editCore: put('/v1/memories/core/{label}', 'memories', {
    summary: 'Write the block human or persona yourself, for direct talk or a channel; empty clears it',
    params: z.strictObject({ label: CoreLabel }),
    body: OwnCoreRequest,
    answer: CoreBlock,
    errors: ['conflict'],
  }),
  editOperatorCore: put('/v1/memories/core/operator/{person}', 'admin', {
    summary: 'The operator’s own block about a person',
    params: z.strictObject({ person: PersonId }),
    body: CoreRequest,
    answer: CoreBlock,
  }),
  describe: get('/v1/memories/description', 'memories', {
    summary: 'A page of what is known of you',
    query: WithCompanion,
    answer: PersonDescription,
  }),
  import: post('/v1/memories/import', 'import', {
    summary: 'Keep what was said elsewhere, each line once',
    body: ImportRequest,
    // A full request embeds each of its lines: memory has 30 s for it.
    takesUpToMs: 45_000,
    answer: ImportResult,
  }),
  forget: post('/v1/memories/forget', 'memories', {
    summary:
      'Forget some, what came from a message, a time or a search, or all, with the talk it came from; with preview, only see what would go',
    body: ForgetRequest,
    // Several services forget one after the other, each within its own limit.
    takesUpToMs: 120_000,
    answer: ForgetResult,
  }),
  undoable: get('/v1/memories/forget', 'memories', {
    summary:
      'What you had forgotten in the last ten minutes and can take back, newest first, with the receipts',
    answer: UndoableList,
  }),
  undoForget: post('/v1/memories/forget/undo', 'memories', {
    summary: 'Take a forget back, within ten minutes, by its receipt',
    body: UndoRequest,
    answer: UndoResult,
    errors: ['not_found'],
  }),
  index: get('/v1/memories/index', 'admin', {
    summary: 'State of the vector index, and how far a reindex is',
    answer: IndexState,
  }),
  initIndex: post('/v1/memories/init', 'admin', {
    summary: 'Make the vector index ready for the embedding space in use',
    answer: IndexState,
  }),
  reindex: post('/v1/memories/reindex', 'admin', {
    summary: 'Make the vector index equal to the memories, while both are used',
    answer: IndexState,
  }),
} satisfies Routes;
