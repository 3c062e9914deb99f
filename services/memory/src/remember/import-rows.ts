import type { MemoryWriter } from '@kith/contracts';
import type { Reader, Writer } from '@kith/database';
import { insertRows, relationOf } from '../rows/memory-row.js';
import type { Pair } from '../rows/memory-scope.js';
import { ARE_OWN_WORDS } from '../rows/own-words.js';
import type { ImportDraft, ImportPlan, ImportTwin } from './plan-import.js';

/** Reads the rows that hold the words of drafts already, or their owner's correction of them. */
export function readImportTwins(
  reader: Reader,
  { personId, companionId }: Pair,
  drafts: readonly ImportDraft[],
): Promise<ImportTwin[]> {
  const audiences = drafts.map(({ audience }) => audience);
  const hashes = drafts.map(({ contentHash }) => contentHash);
  const facts = drafts.flatMap(({ audience, contentHash, fact, sources }) =>
    fact && sources.length > 0 ? { audience, contentHash, sources, ...fact } : [],
  );
  // Earlier exports lack the subject of a reflection, so the same text is recognised by its words and its time. One
  // that was forgotten by itself comes back with such an export: of its words nothing is kept.
  const reflections = drafts.filter(({ kind }) => kind === 'reflection');
  return reader.$queryRaw<ImportTwin[]>`
    SELECT id, kind, audience, content_hash AS "contentHash", sources, said_at AS "saidAt",
      kind = 'episode' AND NOT ${ARE_OWN_WORDS} AS "isOfOthers"
    FROM (SELECT DISTINCT * FROM unnest(${audiences}::text[], ${hashes}::text[]) AS given (heard_by, hash)) AS draft
      CROSS JOIN LATERAL (
        SELECT * FROM memories
        WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = heard_by
          AND content_hash = hash OFFSET 0) AS twin
    UNION ALL
    SELECT row.id, row.kind, row.audience, draft.content_hash, row.sources, row.said_at, false
    FROM ${relationOf(reflections).relation} AS draft JOIN memories AS row ON row.audience = draft.audience
      AND row.said_at = draft.said_at AND row.text = draft.text
    WHERE row.person_id = ${personId}::uuid AND row.companion_id = ${companionId} AND row.kind = 'reflection'
      AND row.content_hash <> draft.content_hash
    UNION ALL
    SELECT row.id, row.kind, row.audience, draft.content_hash, row.sources, row.said_at, false
    FROM ${relationOf(facts).relation} AS draft JOIN memories AS row ON row.audience = draft.audience
      AND row.attribute = draft.attribute AND row.valid_from = draft.valid_from AND row.sources @> draft.sources
      AND row.content_hash <> draft.content_hash
    WHERE row.person_id = ${personId}::uuid AND row.companion_id = ${companionId} AND row.kind = 'fact'
      AND row.writer = 'person' AND row.wording IS NOT NULL
    UNION ALL
    SELECT row.id, row.kind, row.audience, former.hash, row.sources, row.said_at, false
    FROM memories AS row CROSS JOIN LATERAL unnest(row.former_hashes) AS former (hash)
    WHERE row.person_id = ${personId}::uuid AND row.companion_id = ${companionId}
      AND row.former_hashes && ${hashes}::text[] AND former.hash = ANY (${hashes}::text[])`;
}

/** Inserts new rows, and adds sources to known ones. */
export async function writeImport(tx: Writer, { personId, companionId }: Pair, { fresh, grown }: ImportPlan) {
  const rows = fresh.map((draft) => ({
    ...draft,
    ...draft.fact,
    personId,
    companionId,
    isSure: draft.fact?.isSure ?? true,
    formerHashes: draft.fact && draft.formerHashes,
    writer: writerOf(draft),
    sentences: sentencesOf(draft),
  }));
  await Promise.all([
    insertRows(tx, rows),
    ...grown.map(
      ({ id, sources, saidAt, isTheirs }) =>
        tx.$executeRaw`
          UPDATE memories SET sources = ${sources}::text[], said_at = ${saidAt}::timestamptz, read_at = NULL,
            writer = CASE WHEN ${isTheirs} THEN 'import' ELSE writer END,
            speaker = CASE WHEN ${isTheirs} THEN NULL ELSE speaker END
          WHERE id = ${id}::uuid`,
    ),
  ]);
}

/** Reads the sentences of a summary. Those of other messages than its own would not go with them. */
function sentencesOf({ kind, sentences, sources }: ImportDraft): ImportDraft['sentences'] {
  const own = new Set(sources);
  const isOwn = sentences?.every(
    (of) => of.sources.length > 0 && of.sources.every((source) => own.has(source)),
  );
  return kind === 'reflection' && isOwn ? sentences : undefined;
}

function writerOf({ kind, note, corrected, fact }: ImportDraft): MemoryWriter {
  if (note === true) return 'companion';
  return corrected === true && (fact !== undefined || kind === 'reflection') ? 'person' : 'import';
}
