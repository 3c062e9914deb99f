import { z } from 'zod';
import { DocumentContent, DocumentFormat, DocumentView } from '../views/document-view.js';
import { CompanionId, Uuid } from '../values/words.js';
import { del, get, post, type Routes } from './route.js';

export const DocumentRequest = z.strictObject({
  companion: CompanionId.optional(),
  title: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .regex(/^[^\n[\]›]+$/, 'one line without brackets')
    .describe('one line, without brackets: replies cite it'),
  format: DocumentFormat.default('markdown'),
  content: DocumentContent,
});
export const DocumentList = z.object({ documents: z.array(DocumentView) });
export const DocumentRemoved = z.object({ chunks: z.number().int() });

export const documentRoutes = {
  list: get('/v1/documents', 'memories', {
    summary: 'Texts you gave a companion to know',
    answer: DocumentList,
  }),
  add: post('/v1/documents', 'import', {
    summary: 'Give a companion a text to know: Markdown, plain text, HTML, or a PDF as base64',
    body: DocumentRequest,
    // A large PDF is read and embedded: memory has 60 s for it.
    takesUpToMs: 70_000,
    answer: DocumentView,
    status: 201,
    errors: ['conflict'],
  }),
  remove: del('/v1/documents/{id}', 'memories', {
    summary: 'Remove a text with all that was kept of it',
    params: z.strictObject({ id: Uuid }),
    // Several services forget one after the other, each within its own limit.
    takesUpToMs: 120_000,
    answer: DocumentRemoved,
  }),
} satisfies Routes;
