import {
  CitedSentences,
  type MemoryKind,
  type MemoryShelf,
  type MemoryView,
  type MemoryWriter,
} from '@kith/contracts';
import { emptySql, lockUntilEnd, rawSql, sql, toJsonb } from '@kith/database';
import type { Database, MemoryModel, Scope, Sql, Writer } from '@kith/database';

export type MemoryRow = MemoryModel;

/** Fields for those who write rows alone: whose it is, its hashes, and how far its turn was read. */
const WRITERS_FIELDS = ['personId', 'contentHash', 'formerHashes', 'turnId', 'lastUsedAt', 'readAt'] as const;
const WRITERS_ONLY: ReadonlySet<string> = new Set(WRITERS_FIELDS);

/** A memory as it is recalled. Each field less is one text less to read, for each of forty candidates. */
export type RecallRow = Omit<MemoryRow, (typeof WRITERS_FIELDS)[number]>;

/** Shows a row as its owner may see it. */
export function viewOf(row: RecallRow): MemoryView {
  const { id, text, audience, importance, timesRecalled, sources, speaker, conversation } = row;
  const { shelfReason, pinned, sentences } = row;
  return {
    id,
    text,
    audience,
    importance,
    timesRecalled,
    sources,
    speaker,
    conversation,
    shelfReason,
    pinned,
    kind: row.kind as MemoryKind,
    writer: row.writer as MemoryWriter,
    shelf: row.shelf as MemoryShelf,
    saidAt: row.saidAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    lastRecalledAt: row.lastRecalledAt?.toISOString() ?? null,
    ...(sentences !== null && { sentences: CitedSentences.parse(sentences) }),
    fact: factViewOf(row),
  };
}

function factViewOf(row: RecallRow): MemoryView['fact'] {
  const { attribute, value, isSure, wording, holdsUntil, validFrom, validTo } = row;
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

/** Fields of the model: the compiler refuses a list that lacks one. */
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
  formerHashes: true,
  shelf: true,
  sentences: true,
  shelfReason: true,
  pinned: true,
  readAt: true,
  indexedIn: true,
};

/** Names of the model, each with its column. */
const NAMES = (Object.keys(FIELDS) as (keyof MemoryRow)[]).map((name) => {
  return { name, column: name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`) };
});

const columnsOf = (names: typeof NAMES) =>
  rawSql(names.map(({ name, column }) => `row.${column} AS "${name}"`).join(', '));

/** Columns of a `row` by the names of its model. */
export const COLUMNS = columnsOf(NAMES);

/** Columns of a `RecallRow`. */
export const RECALL_COLUMNS = columnsOf(NAMES.filter(({ name }) => !WRITERS_ONLY.has(name)));

type GivenRow = Partial<Record<keyof MemoryRow, unknown>>;

/** Makes objects a relation with the columns of `memories` that any of them has; what is no column is left out. */
export function relationOf(rows: readonly GivenRow[]): { columns: Sql; relation: Sql } {
  const names = NAMES.filter(({ name }) => rows.some((row) => name in row));
  const given = rows.map((row) => Object.fromEntries(names.map(({ name, column }) => [column, row[name]])));
  return {
    columns: rawSql(names.map(({ column }) => column).join(', ')),
    relation: sql`jsonb_populate_recordset(NULL::memories, ${toJsonb(given)}::jsonb)`,
  };
}

/** Inserts rows in one statement. Columns that none of them has are as the table has them by default. */
export async function insertRows(tx: Writer, rows: readonly GivenRow[], onConflict = emptySql) {
  if (rows.length === 0) return;
  const { columns, relation } = relationOf(rows);
  await tx.$executeRaw`
    INSERT INTO memories (${columns}) SELECT ${columns} FROM ${relation} AS given ${onConflict}`;
}

/**
 * Locks a person's memories to the end of the transaction. Remembering checks whether something was forgotten, and then
 * inserts it: nothing may be forgotten in between.
 */
export function lockPerson(tx: Writer, personId: string): Promise<void> {
  return lockPeople(tx, [personId]);
}

/** Locks the memories of several people, always in one order, so that no two wait for each other. */
export function lockPeople(tx: Writer, personIds: readonly string[]): Promise<void> {
  return lockUntilEnd(tx, ...new Set(personIds.toSorted().map((personId) => `memory:${personId}`)));
}

/**
 * Changes rows of these people with their locks, in one round trip. Without the locks an extraction that changes several of
 * the same rows and this statement could each hold one that the other waits for.
 */
export function changeLocked<T>(
  database: Database,
  scope: Scope,
  whose: readonly { personId: string }[],
  change: (tx: Writer) => Promise<T>,
): Promise<T> {
  const people = whose.map(({ personId }) => personId);
  return database.write(scope, (tx) =>
    tx.last(async () => (await Promise.all([lockPeople(tx, people), change(tx)]))[1]),
  );
}
