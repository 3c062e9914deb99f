import type { Audience, MemoryKind, MemoryView, MemoryWriter } from '@kith/contracts';
import type { MemoryModel, Tx } from '@kith/database';
import { Prisma } from '@kith/database';
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
  };
}

/** `canHear`, as a condition: a DM hears everything of the person's, a channel only what was said there. */
export function audienceCondition(listener: Audience): { audience?: string } {
  return listener === 'direct' ? {} : { audience: listener };
}

/**
 * Lets one writer at a time at a person's memories, to the end of the transaction. Remembering looks whether
 * something was forgotten, then inserts; forgetting must not slip in between.
 */
export async function lockPerson(tx: Tx, personId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`memory:${personId}`}, 0))`;
}

/** Rows by id, as far as they are this person's, with this companion, and may be heard. */
export function readHeard(tx: Tx, scope: IndexScope, ids: string[]): Promise<MemoryRow[]> {
  return tx.memory.findMany({
    where: {
      id: { in: ids },
      personId: scope.personId,
      companionId: scope.companionId,
      ...audienceCondition(scope.audience),
    },
  });
}

/** What was said right before and right after each of these, as far as it may be heard. */
export async function readBeside(
  tx: Tx,
  scope: IndexScope,
  rows: readonly Pick<MemoryRow, 'id' | 'conversation' | 'saidAt'>[],
): Promise<Map<string, MemoryRow[]>> {
  const spoken = rows.filter(({ conversation }) => conversation !== null);
  if (spoken.length === 0) return new Map();
  const heard = scope.audience === 'direct' ? Prisma.empty : Prisma.sql`AND audience = ${scope.audience}`;
  const own = Prisma.sql`person_id = ${scope.personId}::uuid AND companion_id = ${scope.companionId} ${heard}
    AND conversation = line.conversation`;
  const found = await tx.$queryRaw<{ of: string; id: string }[]>`
    SELECT line.id::text AS of, near.id::text AS id
    FROM unnest(${spoken.map(({ id }) => id)}::uuid[], ${spoken.map(({ conversation }) => conversation)}::text[],
      ${spoken.map(({ saidAt }) => saidAt)}::timestamptz[]) AS line (id, conversation, said_at)
    CROSS JOIN LATERAL (
      (SELECT id FROM memories WHERE ${own} AND said_at <= line.said_at AND id <> line.id
        AND said_at > line.said_at - ${PAUSE_MS} * interval '1 millisecond' ORDER BY said_at DESC LIMIT 1)
      UNION ALL
      (SELECT id FROM memories WHERE ${own} AND said_at > line.said_at
        AND said_at < line.said_at + ${PAUSE_MS} * interval '1 millisecond' ORDER BY said_at LIMIT 1)
    ) AS near`;
  const near = await readHeard(tx, scope, [...new Set(found.map(({ id }) => id))]);
  const byId = new Map(near.map((row) => [row.id, row]));
  const beside = new Map<string, MemoryRow[]>();
  for (const { of, id } of found) {
    const row = byId.get(id);
    if (row) beside.set(of, [...(beside.get(of) ?? []), row]);
  }
  return beside;
}

/**
 * Rows whose text has one of the words, by Postgres alone: for what the index does not hold yet, and for when
 * it is down. With `notIn`, only rows not indexed in that space.
 */
export async function searchText(
  tx: Tx,
  scope: IndexScope,
  query: string,
  options: { notIn?: string | undefined; limit: number },
): Promise<MemoryRow[]> {
  const words = searchWords(query);
  if (words.spaced.length === 0 && words.unspaced.length === 0) return [];
  const conditions = [
    Prisma.sql`person_id = ${scope.personId}::uuid`,
    Prisma.sql`companion_id = ${scope.companionId}`,
    ...(scope.audience === 'direct' ? [] : [Prisma.sql`audience = ${scope.audience}`]),
    // Spelled as ranges so that the index on the column serves, which `IS DISTINCT FROM` would not use.
    ...(options.notIn === undefined
      ? []
      : [Prisma.sql`(indexed_in IS NULL OR indexed_in < ${options.notIn} OR indexed_in > ${options.notIn})`]),
  ];
  const spaced = words.spaced.join(' | ');
  const patterns = words.unspaced.map((word) => `%${word}%`);
  const found = await tx.$queryRaw<{ id: string }[]>`
    SELECT id::text AS id FROM memories
    WHERE ${Prisma.join(conditions, ' AND ')}
      AND (to_tsvector('english', text) @@ to_tsquery('english', ${spaced}) OR text ILIKE ANY (${patterns}::text[]))
    ORDER BY ts_rank(to_tsvector('english', text), to_tsquery('english', ${spaced})) DESC, said_at DESC
    LIMIT ${options.limit}`;
  if (found.length === 0) return [];
  return readHeard(
    tx,
    scope,
    found.map(({ id }) => id),
  );
}

/** At most so many words of a query: a pasted page is no query. */
const MAX_QUERY_WORDS = 40;

/** A query's words for Postgres, as written and without accents; runs without spaces are matched as substrings. */
function searchWords(query: string): { spaced: string[]; unspaced: string[] } {
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
