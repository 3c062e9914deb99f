import { z } from 'zod';
import { IsoTime } from './bounded-time.js';
import { LoreEntry, LoreHit } from './lore.contract.js';
import {
  CoreBlock,
  Degraded,
  DocumentFormat,
  DocumentView,
  ImportRecord,
  MAX_IMPORT,
  MemoryKind,
  MemoryView,
  RecalledMemory,
} from './memory-view.js';
import { CompanionId, MemoryId } from './words.js';

/** The public HTTP API of what is remembered and known: memories, core memory, documents and lore. */

export const MemoryList = z.object({
  memories: z.array(MemoryView),
  nextCursor: z.string().nullable(),
  total: z.number().int(),
});
export const MemorySearchQuery = z.strictObject({
  q: z.string().trim().min(1).max(2_000),
  companion: CompanionId.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(10),
  kind: MemoryKind.optional(),
  /** Look in the archive, too. */
  archive: z.stringbool().default(false),
});
export const MemorySearchResult = z.object({
  memories: z.array(RecalledMemory),
  degraded: Degraded,
  tookMs: z.number(),
});
/** Lines that were said elsewhere, to be remembered. */
export const ImportRequest = z.strictObject({
  companion: CompanionId.optional(),
  records: z.array(ImportRecord).min(1).max(MAX_IMPORT),
});

export const ForgetRequest = z.strictObject({
  companion: CompanionId.optional(),
  /** These memories, what came from these messages, was said in this time, or is found, or everything. Exactly one. */
  ids: z.array(MemoryId).min(1).max(500).optional(),
  messageIds: z.array(z.string().min(1)).min(1).max(500).optional(),
  period: z.strictObject({ from: IsoTime, to: IsoTime }).optional(),
  query: z.string().trim().min(1).max(2_000).optional(),
  all: z.literal(true).optional(),
  /** Keep the talk they came from in prompts. */
  keepTalk: z.boolean().default(false),
  /** Only say what would go. */
  preview: z.boolean().default(false),
});
export const UndoRequest = z.strictObject({ receipt: z.uuid() });
export const CoreMemory = z.object({ blocks: z.array(CoreBlock) });
export const CoreRequest = z.strictObject({ companion: CompanionId.optional(), text: z.string().max(4_000) });

export const DocumentRequest = z.strictObject({
  companion: CompanionId.optional(),
  /** One line, without brackets: replies cite it. */
  title: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .regex(/^[^\n[\]›]+$/, 'one line without brackets'),
  format: DocumentFormat.default('markdown'),
  content: z.string().min(1),
});
/** A lorebook as its program writes it; see `lore.import`. */
export const LoreImportRequest = z.strictObject({ book: z.unknown() });
export const LoreMatchRequest = z.strictObject({ text: z.string().min(1).max(16_000) });
export const LoreList = z.object({ entries: z.array(LoreEntry) });
export const LoreMatch = z.object({ hits: z.array(LoreHit) });
export const LoreRemoved = z.object({ removed: z.string() });

export const DocumentList = z.object({ documents: z.array(DocumentView) });
export const DocumentRemoved = z.object({ chunks: z.number().int() });

/** With `private`, nothing is remembered from now on, or again. */
export const PrivacyRequest = z.strictObject({ private: z.boolean() });
