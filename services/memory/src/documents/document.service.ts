import { randomUUID } from 'node:crypto';
import {
  AppError,
  MAX_IMPORT,
  type DocumentView,
  type memoryContract,
  type RequestOutput,
} from '@kith/contracts';
import type { Database } from '@kith/database';
import { forGood, type ForgetService } from '../forget/forget.service.js';
import type { ImportService } from '../remember/import.service.js';
import type { DocumentReader } from './document-reader.js';

/** Names a document as a source, so that its chunks are forgotten like anything that came from a message. */
const sourceOf = (documentId: string): string => `document:${documentId}`;

/** Texts a person gives their companion to know: kept in chunks that say where they stand. */
export class DocumentService {
  constructor(
    private readonly database: Database,
    private readonly imports: ImportService,
    private readonly forgetting: ForgetService,
    private readonly reader: DocumentReader,
  ) {}

  /** Keeps a document in chunks, each with its title and headings, which a reply can cite. */
  async add(request: RequestOutput<typeof memoryContract.addDocument>): Promise<DocumentView> {
    const { personId, companionId, audience, title, content, format } = request;
    const chunks = await this.reader.read(personId, content, format);
    const documentId = randomUUID();
    const addedAt = Date.now();
    const records = chunks.map(({ path, text }, position) => ({
      text: `[${[title, ...path].join(' › ')}] ${text}`,
      // In their order, which is how neighbours are known.
      saidAt: new Date(addedAt + position).toISOString(),
      conversation: sourceOf(documentId),
      sources: [sourceOf(documentId), `${sourceOf(documentId)}#${position + 1}`],
      ...{ kind: 'knowledge' as const, audience, importance: 5, pinned: false },
    }));
    for (let from = 0; from < records.length; from += MAX_IMPORT) {
      await this.imports.import({ personId, companionId, records: records.slice(from, from + MAX_IMPORT) });
    }
    const [document] = await this.list({ personId, documentId });
    if (!document) throw new AppError('conflict', 'all of it is known already', { field: 'content' });
    return document;
  }

  /** Lists the documents of a person, newest first. */
  list({ personId, documentId }: { personId: string; documentId?: string }): Promise<DocumentView[]> {
    return this.database.read({ personId }, async (reader) => {
      const rows = await reader.$queryRaw<(Omit<DocumentView, 'addedAt'> & { addedAt: Date })[]>`
        SELECT substr(conversation, 10) AS "documentId", min(companion_id) AS companion,
          split_part(split_part(substr(min(text), 2), ']', 1), ' › ', 1) AS title, count(*)::int AS chunks,
          count(*) FILTER (WHERE shelf = 'quarantine')::int AS quarantined, min(said_at) AS "addedAt"
        FROM memories
        WHERE person_id = ${personId}::uuid AND kind = 'knowledge' AND conversation ~ '^document:[0-9a-f-]{36}$'
          AND (${documentId ?? null}::text IS NULL OR conversation = ${sourceOf(documentId ?? '')})
        GROUP BY conversation ORDER BY min(said_at) DESC`;
      return rows.map((row) => ({ ...row, addedAt: row.addedAt.toISOString() }));
    });
  }

  /** Removes a document with all its chunks. @throws AppError `not_found` */
  async remove({ personId, documentId }: { personId: string; documentId: string }): Promise<number> {
    const what = { kind: 'sources' as const, sources: [sourceOf(documentId)] };
    const { rows } = await this.forgetting.forget(forGood(personId, what));
    if (rows === 0) throw new AppError('not_found', 'there is no such document of yours');
    return rows;
  }
}
