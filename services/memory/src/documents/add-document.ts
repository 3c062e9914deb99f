import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppError,
  DOCUMENT_SOURCE,
  type DocumentView,
  type MemoryRequest,
  timesAsText,
} from '@kith/contracts';
import { sql, type Database, type Sql } from '@kith/database';
import { IS_DOCUMENT, leaveShared } from '../forget/leave-shared.js';
import type { MemoryImporter } from '../remember/memory-importer.js';
import { lockPerson } from '../rows/memory-row.js';
import { uuidFor } from '../words/content-hash.js';
import { wordChunk } from './chunk-document.js';
import type { DocumentReader } from './document-reader.js';

/** Time that Postgres gets to tell whether a document is there: it restarts in seconds, and the person waits a minute. */
const ANSWERED_WITHIN_MS = 10_000;
/** Some twenty questions in that time. */
const ASK_AGAIN_MS = 500;

/** Names a document as a source, so that its chunks can be forgotten like what came from a message. */
const sourceOf = (documentId: string): string => `${DOCUMENT_SOURCE}${documentId}`;

/**
 * Adds a text that a person gives their companion to know in chunks, each with its title and headings, which a reply can
 * cite. A request that is taken over from a process that died answers with the same document.
 * @throws AppError `conflict` where all of it is known, or the person had this time forgotten while it was read
 */
export async function addDocument(
  { database, imports, reader }: { database: Database; imports: MemoryImporter; reader: DocumentReader },
  { requestId, personId, companionId, audience, title, content, format }: MemoryRequest<'addDocument'>,
): Promise<DocumentView> {
  const begunAt = await readNow(database, personId);
  const chunks = await reader.read(personId, content, format);
  const documentId = uuidFor([requestId, personId, companionId, audience, title, content]);
  const addedAt = Date.now();
  const records = chunks.map((chunk, position) => ({
    text: wordChunk(title, chunk),
    // A millisecond apart: by their times the index knows which are neighbours.
    saidAt: new Date(addedAt + position).toISOString(),
    conversation: sourceOf(documentId),
    sources: [sourceOf(documentId), `${sourceOf(documentId)}#${position + 1}`],
    kind: 'knowledge' as const,
    audience,
    importance: 5,
    pinned: false,
  }));
  // Asked for its last part: a version of this program that stored it part by part may have died before that one.
  const isKept = () =>
    has(database, personId, sql`sources @> ARRAY[${`${sourceOf(documentId)}#${chunks.length}`}]`);
  // In one transaction, so that it is kept whole or not at all. One that was taken over is there already, or is made whole.
  if (!(await isKept()))
    await imports.import({ personId, companionId, records }, begunAt).catch(async (error: unknown) => {
      // It is there where only the answer to its commit was lost, or where this request went on elsewhere.
      if (!(await onceAnswered(isKept))) throw error;
    });
  // Its chunks may all be known from another document.
  const hasOwn = await has(database, personId, sql`conversation = ${sourceOf(documentId)}`);
  const [document] = hasOwn ? await listDocuments(database, { personId, documentId }) : [];
  if (document) return document;
  await database.write({ personId }, async (tx) => {
    await lockPerson(tx, personId);
    await leaveShared(tx, personId, sourceOf(documentId));
  });
  throw new AppError('conflict', 'all of it is known already', { field: 'content' });
}

/** Lists the documents of a person, newest first. A chunk of several documents counts for each. */
export function listDocuments(
  database: Database,
  { personId, documentId }: { personId: string; documentId?: string },
): Promise<DocumentView[]> {
  return database.read({ personId }, async (reader) => {
    const rows = await reader.$queryRaw<(Omit<DocumentView, 'addedAt'> & { addedAt: Date })[]>`
        SELECT substr(source, 10) AS "documentId", min(companion_id) AS companion,
          -- Its owner may have put all of it in other words.
          coalesce(split_part(split_part(substr(min(text) FILTER (WHERE text LIKE '[%]%'), 2), ']', 1), ' › ', 1),
            left(min(text), 60)) AS title, count(*)::int AS chunks,
          count(*) FILTER (WHERE shelf = 'quarantine')::int AS quarantined, min(said_at) AS "addedAt"
        FROM memories CROSS JOIN unnest(sources) AS source
        WHERE person_id = ${personId}::uuid AND kind = 'knowledge' AND ${IS_DOCUMENT}
          AND (${documentId ?? null}::text IS NULL OR source = ${sourceOf(documentId ?? '')})
        GROUP BY source ORDER BY min(said_at) DESC`;
    return rows.map(timesAsText);
  });
}

/** Tells whether a person has a chunk for which this holds. */
async function has(database: Database, personId: string, which: Sql): Promise<boolean> {
  const found = await database.reader({ personId }).$queryRaw<unknown[]>`
      SELECT FROM memories WHERE person_id = ${personId}::uuid AND ${which} LIMIT 1`;
  return found.length > 0;
}

/** Reads the clock by which it is noted when something was forgotten. */
async function readNow(database: Database, personId: string): Promise<string> {
  const [row] = await database.reader({ personId }).$queryRaw<[{ now: Date }]>`
      SELECT now()::timestamptz(3) AS now`;
  return row.now.toISOString();
}

/** Asks again while Postgres does not answer, for a while. Undefined where it did not. */
async function onceAnswered<T>(ask: () => Promise<T>): Promise<T | undefined> {
  const deadline = performance.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined || performance.now() >= deadline) return answer;
    await sleep(ASK_AGAIN_MS);
  }
}
