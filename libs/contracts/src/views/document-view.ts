import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { CompanionId, Uuid } from '../values/words.js';

/** A PDF comes as base64, the others as they are. */
export const DocumentFormat = z.enum(['markdown', 'text', 'html', 'pdf']);
export type DocumentFormat = z.infer<typeof DocumentFormat>;

/** Characters of the longest text that is given to be known: those of a thick book. */
export const MAX_DOCUMENT_CHARACTERS = 1_000_000;
export const DocumentContent = z.string().min(1).max(MAX_DOCUMENT_CHARACTERS);

/** A text that a person gave their companion to know. */
export const DocumentView = z.object({
  documentId: Uuid,
  companion: CompanionId,
  title: z.string(),
  chunks: z.number().int(),
  /** Parts that read like orders, which are not recalled. */
  quarantined: z.number().int(),
  addedAt: IsoTime,
});
export type DocumentView = z.infer<typeof DocumentView>;
