import type { Audience, CoreBlock, MemoryKind, MemoryShelf, MemoryView, MemoryWriter } from '@kith/contracts';
import {
  type MemoryModel,
  type Reader,
  type Tx,
  type Writer,
  emptySql,
  joinSql,
  rawSql,
  sql,
  type Sql,
} from '@kith/database';
import { foldText } from '../recall/analyse-text.js';
import { PAUSE_MS } from './neighbours.js';
import type { IndexScope } from './vector-index.js';

export type MemoryRow = MemoryModel;

/** A row as its owner may see it. */
export function viewOf(row: MemoryRow): MemoryView {
  return {
    id: row.id,
    kind: row.kind as MemoryKind,
    text: row.text,
    audience: row.audience,
    writer: row.writer as MemoryWriter,
    importance: row.importance,
    saidAt: row.saidAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    lastRecalledAt: row.lastRecalledAt?.toISOString() ?? null,
    timesRecalled: row.timesRecalled,
    sources: row.sources,
    speaker: row.speaker,
    conversation: row.conversation,
    fact: factViewOf(row),
    shelf: row.shelf as MemoryShelf,
    shelfReason: row.shelfReason,
    pinned: row.pinned,
  };
}

function factViewOf({
  attribute,
  value,
  validFrom,
  validTo,
  isSure,
  wording,
  holdsUntil,
}: MemoryRow): MemoryView['fact'] {
  if (attribute === null || value === null || validFrom === null) return null;
  return {
    attribute,
    value,
    isSure,
    wording,
    holdsUntil: holdsUntil?.toISOString() ?? null,
    validFrom: validFrom.toISOString(),
    validTo: validTo?.toISOString() ?? null,
  };
}

/**
 * `canHear`, as a condition: a DM hears everything of the person's but what was said in servers that the app has left, a
 * channel only what was said there.
 */
export async function readAudienceCondition(
  tx: Tx,
  listener: Audience,
): Promise<{ audience?: string | { notIn: string[] } }> {
  if (listener !== 'direct') return { audience: listener };
  const left = await tx.leftPlace.findMany({ select: { audience: true } });
  return left.length === 0 ? {} : { audience: { notIn: left.map(({ audience }) => audience) } };
}

/**
 * Lets one writer at a time at a person's memories, to the end of the transaction. Remembering looks whether
 * something was forgotten, then inserts; forgetting must not slip in between.
 */
export async function lockPerson(tx: Writer, personId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`memory:${personId}`}, 0))`;
}

/** Every field of the model: the compiler refuses a list that lacks one. */
const FIELDS: Record<keyof MemoryRow, true> = {
  id: true,
  personId: true,
  companionId: true,
  kind: true,
  text: true,
  contentHash: true,
  audience: true,
  writer: true,
  importance: true,
  saidAt: true,
  createdAt: true,
  lastRecalledAt: true,
  timesRecalled: true,
  timesUsed: true,
  lastUsedAt: true,
  feltPleasure: true,
  turnId: true,
  conversation: true,
  speaker: true,
  sources: true,
  attribute: true,
  value: true,
  validFrom: true,
  validTo: true,
  supersededBy: true,
  evidence: true,
  isSure: true,
  wording: true,
  holdsUntil: true,
  shelf: true,
  shelfReason: true,
  pinned: true,
  readAt: true,
  indexedIn: true,
};

/** The columns of a `row` by the names of its model. */
export const COLUMNS = rawSql(
  Object.keys(FIELDS)
    .map((name) => `row.${name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)} AS "${name}"`)
    .join(', '),
);

/** Open memories, unless those of the archive are asked for. */
function isHeard({ personId, companionId, audience }: IndexScope, shelf: MemoryShelf = 'open'): Sql {
  const own = sql`row.person_id = ${personId}::uuid AND row.companion_id = ${companionId}
    AND row.shelf = ${shelf}`;
  return audience === 'direct'
    ? sql`${own} AND NOT EXISTS (SELECT 1 FROM left_places WHERE left_places.audience = row.audience)`
    : sql`${own} AND row.audience = ${audience}`;
}

/**
 * Reads columns of open rows that are not indexed in a space, and should be. Spelled as ranges, so that the partial
 * indexes on what is open serve, which `IS DISTINCT FROM` would not use: nothing else is looked at.
 */
export function missingFrom(spaceId: string, columns: Sql, where: Sql): Sql {
  const ranges = [sql`indexed_in IS NULL`, sql`indexed_in < ${spaceId}`, sql`indexed_in > ${spaceId}`];
  return joinSql(
    ranges.map(
      (range) => sql`SELECT ${columns} FROM memories WHERE ${where} AND shelf = 'open' AND ${range}`,
    ),
    ' UNION ALL ',
  );
}

/** What was found by the index, and what by the words of rows that are not in it yet. */
export interface FoundRows {
  rows: MemoryRow[];
  /** Ids of those that the index does not hold. */
  byText: ReadonlySet<string>;
}

/** Rows by id, and those not indexed in a space that have one of the query's words: in one statement. */
export async function readFound(
  tx: Reader,
  scope: IndexScope,
  ids: readonly string[],
  pending: { query: string; notIn: string; limit: number },
): Promise<FoundRows> {
  const words = searchWords(pending.query);
  const own = sql`person_id = ${scope.personId}::uuid`;
  const rows = await tx.$queryRaw<(MemoryRow & { byText: boolean })[]>`
    WITH pending AS MATERIALIZED (${missingFrom(pending.notIn, sql`id, text`, own)}), wanted AS MATERIALIZED (
      SELECT id, FALSE AS by_text FROM unnest(${ids}::uuid[]) AS id
      UNION ALL
      (SELECT id, TRUE FROM pending WHERE ${hasWord(words)}
        ORDER BY ${likeness(words)} DESC LIMIT ${pending.limit})
    )
    SELECT ${COLUMNS}, wanted.by_text AS "byText" FROM wanted
    CROSS JOIN LATERAL (SELECT * FROM memories WHERE id = wanted.id OFFSET 0) AS row
    WHERE ${isHeard(scope)}`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    rows: [...byId.values()],
    byText: new Set(rows.filter(({ byText }) => byText).map(({ id }) => id)),
  };
}

/** What was said right before and right after each of these, as far as it may be heard: in one statement. */
export async function readBeside(
  tx: Reader,
  scope: IndexScope,
  rows: readonly Pick<MemoryRow, 'id' | 'conversation' | 'saidAt'>[],
): Promise<Map<string, MemoryRow[]>> {
  const spoken = rows.filter(({ conversation }) => conversation !== null);
  if (spoken.length === 0) return new Map();
  const heard = scope.audience === 'direct' ? emptySql : sql`AND audience = ${scope.audience}`;
  const own = sql`person_id = ${scope.personId}::uuid AND companion_id = ${scope.companionId} ${heard}
    AND shelf = 'open' AND conversation = line.conversation`;
  const found = await tx.$queryRaw<(MemoryRow & { of: string })[]>`
    SELECT line.id::text AS of, ${COLUMNS}
    FROM unnest(${spoken.map(({ id }) => id)}::uuid[], ${spoken.map(({ conversation }) => conversation)}::text[],
      ${spoken.map(({ saidAt }) => saidAt)}::timestamptz[]) AS line (id, conversation, said_at)
    CROSS JOIN LATERAL (
      (SELECT * FROM memories WHERE ${own} AND said_at <= line.said_at AND id <> line.id
        AND said_at > line.said_at - ${PAUSE_MS} * interval '1 millisecond' ORDER BY said_at DESC LIMIT 1)
      UNION ALL
      (SELECT * FROM memories WHERE ${own} AND said_at > line.said_at
        AND said_at < line.said_at + ${PAUSE_MS} * interval '1 millisecond' ORDER BY said_at LIMIT 1)
    ) AS row
    WHERE ${isHeard(scope)}`;
  return Map.groupBy(found, ({ of }) => of);
}

/** The core blocks that this audience's prompt carries, those that hold something. */
export async function readCore(
  reader: Reader,
  { personId, companionId, audience }: IndexScope,
): Promise<CoreBlock[]> {
  const rows = await reader.$queryRaw<(Omit<CoreBlock, 'updatedAt'> & { updatedAt: Date })[]>`
    SELECT label, text, updated_by AS "updatedBy", updated_at AS "updatedAt" FROM core_blocks
    WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience} AND text <> ''
    ORDER BY label`;
  return rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }));
}

/**
 * Core memory as a prompt carries it: under `human` also the name that the person gave themself, as this audience heard
 * it. In one statement, since every turn waits for it.
 */
export async function readCoreForPrompt(reader: Reader, scope: IndexScope): Promise<CoreBlock[]> {
  const { personId, companionId, audience } = scope;
  const rows = await reader.$queryRaw<
    (Omit<CoreBlock, 'updatedAt' | 'label'> & { label: string; updatedAt: Date })[]
  >`
    SELECT label, text, updated_by AS "updatedBy", updated_at AS "updatedAt" FROM core_blocks
    WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience} AND text <> ''
    UNION ALL
    (SELECT 'name', row.value, 'person', row.said_at FROM memories AS row
      WHERE ${isHeard(scope)} AND row.attribute = 'name' AND row.kind = 'fact' AND row.is_sure AND row.valid_to IS NULL
      ORDER BY row.said_at DESC LIMIT 1)
    ORDER BY 1`;
  const blocks = rows.map((row) => ({ ...row, updatedAt: row.updatedAt.toISOString() }));
  const name = blocks.find(({ label }) => label === 'name');
  const core = blocks.filter((block): block is CoreBlock => block.label !== 'name');
  if (!name) return core;
  const human = core.find(({ label }) => label === 'human');
  const told = `They are called ${name.text}.`;
  return [
    { ...(human ?? name), label: 'human', text: human ? `${told}\n${human.text}` : told },
    ...core.filter(({ label }) => label !== 'human'),
  ];
}

/** A person's facts of these attributes, with every companion and before every audience. */
export function readFacts(
  reader: Reader,
  personId: string,
  attributes: readonly string[],
): Promise<MemoryRow[]> {
  return reader.$queryRaw<MemoryRow[]>`
    SELECT ${COLUMNS} FROM memories AS row
    WHERE person_id = ${personId}::uuid AND attribute = ANY (${attributes}::text[])
      AND kind = 'fact' AND shelf <> 'quarantine'`;
}

/** The most important of what was said in a time. */
export function readSaidIn(
  tx: Reader,
  scope: IndexScope,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<MemoryRow[]> {
  return tx.$queryRaw<MemoryRow[]>`
    SELECT ${COLUMNS} FROM memories AS row
    WHERE ${isHeard(scope)} AND said_at >= ${from} AND said_at < ${to}
    ORDER BY pinned DESC, importance DESC, said_at DESC LIMIT ${limit}`;
}

/** Rows whose text has one of the words, by Postgres alone: for when the index is down. */
export async function searchText(
  tx: Reader,
  scope: IndexScope,
  query: string,
  { limit, shelf = 'open' }: { limit: number; shelf?: MemoryShelf },
): Promise<MemoryRow[]> {
  const words = searchWords(query);
  return tx.$queryRaw<MemoryRow[]>`
    SELECT ${COLUMNS} FROM memories AS row WHERE ${isHeard(scope, shelf)} AND ${hasWord(words)}
    ORDER BY ${likeness(words)} DESC, said_at DESC LIMIT ${limit}`;
}

interface SearchWords {
  spaced: string[];
  unspaced: string[];
}

function hasWord({ spaced, unspaced }: SearchWords): Sql {
  const patterns = unspaced.map((word) => `%${word}%`);
  return sql`(to_tsvector('english', text) @@ to_tsquery('english', ${spaced.join(' | ')})
    OR text ILIKE ANY (${patterns}::text[]))`;
}

function likeness({ spaced }: SearchWords): Sql {
  return sql`ts_rank(to_tsvector('english', text), to_tsquery('english', ${spaced.join(' | ')}))`;
}

/** At most so many words of a query: a pasted page is no query. */
const MAX_QUERY_WORDS = 40;

/** A query's words for Postgres, as written and without accents; runs without spaces are matched as substrings. */
function searchWords(query: string): SearchWords {
  const words = [...query.toLowerCase().matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
    .map(([word]) => word)
    .slice(0, MAX_QUERY_WORDS);
  const spaced = words.filter(
    (word) => !/[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff]/u.test(word),
  );
  const unspaced = words.filter((word) => !spaced.includes(word));
  return { spaced: [...new Set(spaced.flatMap((word) => [word, foldText(word)]))].filter(isWord), unspaced };
}

/** Folding can split what was one word; only what is still one may stand in a tsquery. */
function isWord(word: string): boolean {
  return /^[\p{L}\p{N}\p{M}]+$/u.test(word);
}
