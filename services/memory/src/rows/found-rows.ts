import { emptySql, joinSql, sql, type Reader, type Sql } from '@kith/database';
import { PAUSE_MS } from '../words/neighbours.js';
import { IS_LEFT, isAudible, readAudible } from './audience-conditions.js';
import type { MemoryScope } from './memory-scope.js';
import { RECALL_COLUMNS, type RecallRow } from './memory-row.js';
import { hasWord, likeness, READ, searchWords } from './search-text.js';

/**
 * Selects columns of open rows that are not indexed in a space, and should be. By ranges, for which Postgres uses the
 * partial indexes on open rows; for `IS DISTINCT FROM` it would not.
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

/** Rows that the index found, and those not in it yet that have a word of the query. */
export interface FoundRows {
  rows: RecallRow[];
  /** Ids of rows that the index does not hold. */
  byText: ReadonlySet<string>;
}

/** Reads, in one statement, rows by id, and rows not indexed in a space that have one of the query's words. */
export async function readFound(
  tx: Reader,
  scope: MemoryScope,
  ids: readonly string[],
  pending: { query: string; notIn: string; limit: number },
): Promise<FoundRows> {
  const words = searchWords(pending.query);
  // By the person alone, for which there is an index of what is missing: with more conditions Postgres reads all their rows.
  const own = sql`person_id = ${scope.personId}::uuid`;
  const rows = await tx.$queryRaw<(RecallRow & { byText: boolean })[]>`
    WITH pending AS MATERIALIZED (${missingFrom(pending.notIn, sql`*`, own)}), wanted AS MATERIALIZED (
      SELECT id, FALSE AS by_text FROM unnest(${ids}::uuid[]) AS id
      UNION ALL
      (SELECT id, TRUE FROM pending AS row ${READ} WHERE ${isAudible(scope)} AND ${hasWord(words)}
        ORDER BY ${likeness(words)} DESC LIMIT ${pending.limit})
    )
    SELECT ${RECALL_COLUMNS}, wanted.by_text AS "byText" FROM wanted
    CROSS JOIN LATERAL (SELECT * FROM memories WHERE id = wanted.id OFFSET 0) AS row
    WHERE ${isAudible(scope)}`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return {
    rows: [...byId.values()],
    byText: new Set(rows.filter(({ byText }) => byText).map(({ id }) => id)),
  };
}

/**
 * Reads, in one statement, what was said right before and after each of these, as far as the scope may hear it.
 * @param reach how many lines on either side
 */
export async function readBeside(
  tx: Reader,
  scope: MemoryScope,
  rows: readonly Pick<RecallRow, 'id' | 'conversation' | 'saidAt'>[],
  reach = 1,
): Promise<Map<string, RecallRow[]>> {
  const spoken = rows.filter(({ conversation }) => conversation !== null);
  if (spoken.length === 0) return new Map();
  const heard = scope.audience === 'direct' ? emptySql : sql`AND audience = ${scope.audience}`;
  const own = sql`person_id = ${scope.personId}::uuid AND companion_id = ${scope.companionId} ${heard}
    AND shelf = 'open' AND conversation = line.conversation`;
  const within = sql`${reach * PAUSE_MS} * interval '1 millisecond'`;
  // The index has lines in order. Before the table is first analysed Postgres expects few rows, and would rather read and
  // sort all that a person ever said, for each line: 20 ms in place of one.
  const inOrder = tx.$queryRaw`SELECT set_config('enable_sort', 'off', true)`;
  const found = tx.$queryRaw<(RecallRow & { of: string })[]>`
    SELECT line.id::text AS of, ${RECALL_COLUMNS}
    FROM unnest(${spoken.map(({ id }) => id)}::uuid[], ${spoken.map(({ conversation }) => conversation)}::text[],
      ${spoken.map(({ saidAt }) => saidAt)}::timestamptz[]) AS line (id, conversation, said_at)
    CROSS JOIN LATERAL (
      (SELECT * FROM memories WHERE ${own} AND said_at <= line.said_at AND id <> line.id
        AND said_at > line.said_at - ${within} ORDER BY said_at DESC LIMIT ${reach})
      UNION ALL
      (SELECT * FROM memories WHERE ${own} AND said_at > line.said_at
        AND said_at < line.said_at + ${within} ORDER BY said_at LIMIT ${reach})
    ) AS row
    WHERE ${isAudible(scope)}`;
  const [, near] = await Promise.all([
    inOrder,
    found,
    tx.$queryRaw`SELECT set_config('enable_sort', 'on', true)`,
  ]);
  return Map.groupBy(near, ({ of }) => of);
}

/**
 * Reads a person's facts of the attributes of these that were told before another audience, to any companion, but for those
 * of servers that the app has left.
 */
export function readToldElsewhere(
  reader: Reader,
  personId: string,
  facts: readonly Pick<RecallRow, 'attribute' | 'audience'>[],
): Promise<RecallRow[]> {
  const attributes = facts.map(({ attribute }) => attribute);
  return reader.$queryRaw<RecallRow[]>`
    SELECT ${RECALL_COLUMNS} FROM memories AS row
    WHERE person_id = ${personId}::uuid AND attribute = ANY (${attributes}::text[])
      AND kind = 'fact' AND shelf NOT IN ('quarantine', 'withdrawn') AND NOT ${IS_LEFT}
      AND EXISTS (SELECT 1 FROM unnest(${attributes}::text[], ${facts.map(({ audience }) => audience)}::text[])
        AS fact (attribute, audience) WHERE fact.attribute = row.attribute AND fact.audience <> row.audience)`;
}

/** Reads the most important of the facts that hold. */
export function readFacts(tx: Reader, scope: MemoryScope, limit: number): Promise<RecallRow[]> {
  const holding = sql`kind = 'fact' AND valid_from IS NOT NULL AND valid_to IS NULL`;
  return readAudible(tx, scope, sql`${holding} ${mostImportant(limit)}`);
}

/** Reads the most important of what was said in a time. */
export function readSaidIn(
  tx: Reader,
  scope: MemoryScope,
  { from, to }: { from: Date; to: Date },
  limit: number,
): Promise<RecallRow[]> {
  return readAudible(tx, scope, sql`said_at >= ${from} AND said_at < ${to} ${mostImportant(limit)}`);
}

function mostImportant(limit: number): Sql {
  return sql`ORDER BY pinned DESC, importance DESC, said_at DESC LIMIT ${limit}`;
}
