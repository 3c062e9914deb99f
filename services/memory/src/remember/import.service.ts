import { randomUUID } from 'node:crypto';
import type { memoryContract, RequestOutput, ResponseInput } from '@kith/contracts';
import { toJsonb, type Database, type Tx } from '@kith/database';
import type { IndexWriter } from '../index/index-writer.js';
import type { SpeakerNames } from '../rows/speaker-names.js';
import type { ReadingOrders } from './reading-orders.js';
import { factHashOf } from '../facts/fact-records.js';
import { decideWrite, shelfFor } from '../words/decide-write.js';
import { scoreImportance } from '../words/score-importance.js';
import { splitText } from '../words/split-text.js';
import { forgottenAmong } from '../rows/late-notes.js';
import { COLUMNS, lockPerson, type MemoryRow } from '../rows/memory-row.js';
import { contentHashOf } from '../words/content-hash.js';

/** Pause before it is read for facts: records often come one by one, and are read together. */
const READ_AFTER_MS = 2_000;

type ImportRequest = RequestOutput<typeof memoryContract.import>;
type Result = ResponseInput<typeof memoryContract.import>;
type Draft = Omit<ImportRequest['records'][number], 'importance'> & {
  contentHash: string;
  importance: number;
};

/** Keeps what was said elsewhere: an export of ours, or another program's log. */
export class ImportService {
  constructor(
    private readonly database: Database,
    private readonly writer: IndexWriter,
    private readonly speakers: SpeakerNames,
    private readonly reading: ReadingOrders,
  ) {}

  /** Stores rows, each once; upkeep indexes those that can't be indexed now. */
  async import(request: ImportRequest): Promise<Result> {
    const { personId, companionId } = request;
    const drafts = draftsOf(request);
    const { rows, ...result } = await this.database.asPerson(personId, async (tx) => {
      await lockPerson(tx, personId);
      const wanted = await withoutForgotten(tx, request, drafts);
      const known = await addSources(tx, request, wanted);
      const fresh = wanted.filter((draft) => !known.has(keyOf(draft)));
      const rows = await insertDrafts(tx, request, fresh);
      return { rows, kept: fresh.length, known: known.size, left: drafts.length - wanted.length };
    });
    this.speakers.reload(personId);
    if (result.kept > 0) {
      await this.reading.order([{ personId, companionId }], READ_AFTER_MS);
      await this.writer.indexRowsLater(personId, rows, 'import');
    }
    return result;
  }
}

function draftsOf({ records }: ImportRequest): Draft[] {
  const drafts = new Map<string, Draft>();
  for (const record of records) {
    const { fact } = record;
    for (const text of splitText(record.text)) {
      const importance = record.importance ?? scoreImportance(text);
      const contentHash = fact
        ? factHashOf({ ...fact, validFrom: new Date(fact.validFrom) })
        : contentHashOf(text);
      const draft = { ...record, text, importance, contentHash };
      const twin = drafts.get(keyOf(draft));
      if (!twin) drafts.set(keyOf(draft), draft);
      else {
        twin.sources = [...new Set([...twin.sources, ...draft.sources])];
        twin.saidAt = later(twin.saidAt, draft.saidAt);
      }
    }
  }
  return [...drafts.values()];
}

/** Makes a key by which two lines are the same memory. */
function keyOf({ audience, contentHash }: Pick<Draft, 'audience' | 'contentHash'>): string {
  return `${audience} ${contentHash}`;
}

async function withoutForgotten(tx: Tx, request: ImportRequest, drafts: Draft[]): Promise<Draft[]> {
  const forgotten = await forgottenAmong(
    tx,
    request,
    drafts.flatMap(({ sources }) => sources),
  );
  return drafts.filter(
    ({ text, sources }) => /[\p{L}\p{N}]/u.test(text) && !sources.some((source) => forgotten.has(source)),
  );
}

/** Adds the sources of what is known already, to be read again as said anew. Returns the keys of those. */
async function addSources(
  tx: Tx,
  { personId, companionId }: ImportRequest,
  drafts: Draft[],
): Promise<Set<string>> {
  const hashes = drafts.map(({ contentHash }) => contentHash);
  const twins = await tx.$queryRaw<
    Pick<MemoryRow, 'id' | 'audience' | 'contentHash' | 'sources' | 'saidAt'>[]
  >`
    SELECT id, audience, content_hash AS "contentHash", sources, said_at AS "saidAt" FROM memories
    WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND content_hash = ANY(${hashes})`;
  const byKey = new Map(drafts.map((draft) => [keyOf(draft), draft]));
  const known = new Set<string>();
  for (const twin of twins) {
    const draft = byKey.get(keyOf(twin));
    if (!draft) continue;
    known.add(keyOf(twin));
    const sources = [...new Set([...twin.sources, ...draft.sources])];
    if (sources.length === twin.sources.length) continue;
    const saidAt = new Date(later(twin.saidAt.toISOString(), draft.saidAt));
    await tx.memory.update({ where: { id: twin.id }, data: { sources, saidAt, readAt: null } });
  }
  return known;
}

/** Inserts all in one statement; returns those that may be recalled. */
async function insertDrafts(
  tx: Tx,
  { personId, companionId }: ImportRequest,
  drafts: Draft[],
): Promise<MemoryRow[]> {
  const rows = drafts.map((draft) => ({
    ...{ id: randomUUID(), text: draft.text, kind: draft.kind, audience: draft.audience },
    ...{ pinned: draft.pinned, importance: draft.importance, sources: draft.sources },
    ...{ speaker: draft.speaker, conversation: draft.conversation },
    content_hash: draft.contentHash,
    said_at: draft.saidAt,
    attribute: draft.fact?.attribute,
    value: draft.fact?.value,
    wording: draft.fact?.wording,
    is_sure: draft.fact?.isSure ?? true,
    valid_from: draft.fact?.validFrom,
    valid_to: draft.fact?.validTo,
    holds_until: draft.fact?.holdsUntil,
    // What a person brings themselves has no daily bound.
    ...(draft.withdrawn
      ? { shelf: 'withdrawn', shelfReason: 'taken back' }
      : shelfFor(decideWrite(draft.text, 0))),
  }));
  const inserted = await tx.$queryRaw<MemoryRow[]>`
    INSERT INTO memories AS row (id, person_id, companion_id, writer, kind, text, content_hash, audience, importance,
      said_at, speaker, conversation, sources, pinned, attribute, value, wording, is_sure, valid_from, valid_to,
      holds_until, shelf, shelf_reason)
    SELECT id, ${personId}::uuid, ${companionId}, 'import', kind, text, content_hash, audience, importance,
      said_at, speaker, conversation, sources, pinned, attribute, value, wording, is_sure, valid_from, valid_to,
      holds_until, shelf, "shelfReason"
    FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS draft (id uuid, kind text, text text, content_hash text,
      audience text, importance float, said_at timestamptz, speaker text, conversation text, sources text[],
      pinned boolean, attribute text, value text, wording text, is_sure boolean, valid_from timestamptz,
      valid_to timestamptz, holds_until timestamptz, shelf text, "shelfReason" text)
    RETURNING ${COLUMNS}`;
  return inserted.filter(({ shelf }) => shelf === 'open');
}

function later(a: string, b: string): string {
  return Date.parse(a) < Date.parse(b) ? b : a;
}
