import { firstOf } from '@kith/contracts';
import { columnOf, readOfEach, sql, type Database, type Reader, type Writer } from '@kith/database';
import { factHashOf } from './fact-records.js';
import type { KnownFact } from './chosen-name.js';
import { MIN_FACT_IMPORTANCE, type FactToStore, type SaidLine } from './plan-facts.js';
import type { MemoryInReply, MemoryUse } from './plan-uses.js';
import { isForgotten, type ForgottenTime } from '../rows/forgotten-time.js';
import { IS_LEFT } from '../rows/audience-conditions.js';
import { ARE_OWN_WORDS } from '../rows/own-words.js';
import { readPrivateTimes } from '../rows/private-times.js';
import {
  changeLocked,
  COLUMNS,
  insertRows,
  lockPerson,
  relationOf,
  type MemoryRow,
} from '../rows/memory-row.js';
import type { Pair } from '../rows/memory-scope.js';

/** Unread lines of a person, with what reading them needs. */
export interface LinesToRead {
  lines: MemoryRow[];
  facts: KnownFact[];
  /** Tells whether a moment was private, or lies in a time that was forgotten. */
  isGone: (at: Date) => boolean;
  /** State of the orders to forget, and of edits, that these lines and facts were read after. */
  orders: string;
}

/** Reads the unread lines of each of these people, in the order they were said. */
export function readUnread(
  database: Database,
  whose: readonly Pair[],
  atOnce: number,
): Promise<LinesToRead[]> {
  return readOfEach(database, whose, async (reader, { personId, companionId }) => {
    // Orders are read first: facts read after them hold nothing of before.
    const [orders, forgotten, lines, facts, isPrivate] = await Promise.all([
      readOrders(reader, { personId, companionId }),
      reader.$queryRaw<(ForgottenTime & { everything: boolean })[]>`
        SELECT everything, at, said_from AS "saidFrom", said_to AS "saidTo" FROM forget_records
        WHERE person_id = ${personId}::uuid AND (companion_id IS NULL OR companion_id = ${companionId})
          AND (everything OR said_from IS NOT NULL)`,
      reader.$queryRaw<MemoryRow[]>`
        SELECT ${COLUMNS} FROM memories AS row
        WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND kind = 'episode' AND shelf = 'open'
          AND read_at IS NULL AND ${ARE_OWN_WORDS}
        ORDER BY said_at, id LIMIT ${atOnce}`,
      readFactsOf(reader, { personId, companionId }),
      readPrivateTimes(reader, personId),
    ]);
    const isGone = (when: Date) =>
      isPrivate(when) ||
      forgotten.some((order) => (order.everything ? when <= order.at : isForgotten(order, when)));
    return { lines, facts, isGone, orders };
  });
}

/** Reads a text that changes with each order to forget, each edit and each undo of this person's. */
async function readOrders(reader: Reader, { personId, companionId }: Pair): Promise<string> {
  const orders = await columnOf(reader)`
    SELECT concat_ws(' ', count(*), extract(epoch FROM max(at)), sum(revision)) AS orders FROM forget_records
    WHERE person_id = ${personId}::uuid AND (companion_id IS NULL OR companion_id = ${companionId})`;
  return firstOf(orders);
}

/** Reads all facts that a person told a companion, whatever the audience, but for those taken back or not kept. */
async function readFactsOf(reader: Reader, { personId, companionId }: Pair): Promise<KnownFact[]> {
  return reader.$queryRaw<KnownFact[]>`
    SELECT ${COLUMNS}, ${IS_LEFT} AS "isLeft"
    FROM memories AS row
    WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND kind = 'fact' AND attribute IS NOT NULL
      AND shelf NOT IN ('quarantine', 'withdrawn')
    ORDER BY valid_from`;
}

/** Selects the facts that an audience may hear. */
export function factsToldBefore(facts: readonly KnownFact[], audience: string): KnownFact[] {
  return facts.filter((fact) => (audience === 'direct' ? !fact.isLeft : fact.audience === audience));
}

/** A fact that its person took back, or that was not kept. */
export type WithdrawnFact = Pick<MemoryRow, 'contentHash' | 'attribute' | 'value' | 'sources'>;

/** State that is read under the lock, before lines are marked as read. */
export interface LockedState {
  facts: KnownFact[];
  /** True where something was forgotten or edited meanwhile: the reader knew it, and any line may repeat it. */
  isOutdated: boolean;
  /** Ids of lines that are unchanged and that no other run has read meanwhile; none of an outdated reading. */
  there: ReadonlySet<string>;
  /** Messages that were forgotten, or may not be remembered. */
  forgotten: ReadonlySet<string>;
  /** Facts that were corrected or taken back, or lie in quarantine, for the audience of these lines. */
  withdrawn: readonly WithdrawnFact[];
  recalled: MemoryInReply[];
}

/**
 * Locks the person and reads this state. All statements are sent at once, and run one after the other. Each row is looked
 * up by its id, and the order names the index of facts: else all of the person's memories may be read (decision 52).
 */
export async function readBehindLock(
  tx: Writer,
  whose: Pair & Pick<LinesToRead, 'orders'>,
  lines: readonly SaidLine[],
  recalledIds: readonly string[],
): Promise<LockedState> {
  const { personId, companionId } = whose;
  const ids = lines.map(({ id }) => id);
  const [, orders, there, forgotten, facts, withdrawn, recalled] = await Promise.all([
    lockPerson(tx, personId),
    readOrders(tx, whose),
    columnOf(tx)`
      SELECT line.id FROM unnest(${ids}::uuid[], ${lines.map(({ text }) => text)}::text[]) AS line (id, text)
      CROSS JOIN LATERAL (SELECT text, read_at, shelf FROM memories WHERE id = line.id OFFSET 0) AS row
      WHERE row.text = line.text AND read_at IS NULL AND shelf = 'open'`,
    columnOf(tx)<string[]>`
      SELECT sources FROM forget_records
      WHERE person_id = ${personId}::uuid AND revision IS NULL
        AND (companion_id IS NULL OR companion_id = ${companionId})
        AND sources && ${lines.flatMap(({ sources }) => sources)}::text[]`,
    readFactsOf(tx, whose),
    tx.$queryRaw<WithdrawnFact[]>`
      SELECT content_hash AS "contentHash", attribute, value, sources FROM memories
      WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND kind = 'fact'
        AND shelf IN ('quarantine', 'withdrawn') AND audience = ANY (${lines.map(({ audience }) => audience)}::text[])
      ORDER BY attribute, said_at DESC`,
    tx.$queryRaw<MemoryInReply[]>`
      SELECT row.id, text, speaker, last_used_at AS "lastUsedAt" FROM unnest(${[...recalledIds]}::uuid[]) AS named (id)
      CROSS JOIN LATERAL (SELECT * FROM memories WHERE id = named.id OFFSET 0) AS row
      WHERE person_id = ${personId}::uuid`,
  ]);
  const isOutdated = orders !== whose.orders;
  return {
    facts,
    recalled,
    isOutdated,
    there: new Set(isOutdated ? [] : there),
    forgotten: new Set(forgotten.flat()),
    withdrawn,
  };
}

/** Changes after reading the lines of a place. */
export interface ReadingToSave extends Pair {
  speaker: string | null;
  facts: readonly FactToStore[];
  /** Lines with their new importance and pleasure, where known. */
  lines: readonly { id: string; importance: number | null; pleasure: number | null }[];
  uses: readonly MemoryUse[];
}

/**
 * Saves facts, marks lines as read, and counts which memories were used. Each update names its rows by id beside the
 * join: otherwise Postgres may scan all rows of the person.
 */
export async function saveReading(tx: Writer, reading: ReadingToSave): Promise<void> {
  const { personId, companionId, speaker, facts, lines, uses } = reading;
  const there = facts.filter(({ isThere }) => isThere);
  const fresh = facts.filter(({ isThere }) => !isThere);
  const [lineIds, usedIds] = [lines.map(({ id }) => id), uses.map(({ id }) => id)];
  await Promise.all([
    changeFacts(tx, there),
    // A fact that an earlier run stored is skipped.
    insertRows(
      tx,
      fresh.map((one) => ({ ...toRow(one), personId, companionId, speaker, kind: 'fact' })),
      sql`ON CONFLICT DO NOTHING`,
    ),
    tx.$executeRaw`
      UPDATE memories SET read_at = now(), importance = coalesce(judged.importance, memories.importance),
        felt_pleasure = coalesce(judged.pleasure, felt_pleasure)
      FROM unnest(${lineIds}::uuid[], ${lines.map(({ importance }) => importance)}::float[],
        ${lines.map(({ pleasure }) => pleasure)}::float[]) AS judged (id, importance, pleasure)
      WHERE memories.id = judged.id AND memories.id = ANY (${lineIds}::uuid[])`,
    uses.length > 0 &&
      tx.$executeRaw`
        UPDATE memories SET times_used = times_used + used.count, last_used_at = used.at
        FROM unnest(${usedIds}::uuid[], ${uses.map(({ count }) => count)}::int[],
          ${uses.map(({ at }) => at)}::timestamptz[]) AS used (id, count, at)
        WHERE memories.id = used.id AND memories.id = ANY (${usedIds}::uuid[])`,
  ]);
}

/** Marks lines of any of these people as read without a fact. */
export async function setLinesAside(
  database: Database,
  whose: readonly Pair[],
  ids: readonly string[],
): Promise<void> {
  await changeLocked(
    database,
    'system',
    whose,
    (tx) => tx.$executeRaw`
      UPDATE memories SET read_at = now() WHERE id = ANY (${[...ids]}::uuid[]) AND read_at IS NULL`,
  );
}

function toRow({ fact, text }: FactToStore) {
  return {
    ...fact,
    text,
    contentHash: factHashOf(fact),
    writer: fact.wording === null ? 'person' : 'model',
    importance: fact.importance ?? MIN_FACT_IMPORTANCE,
  };
}

async function changeFacts(tx: Writer, facts: readonly FactToStore[]): Promise<void> {
  if (facts.length === 0) return;
  // Its sentence may have changed, so it is indexed again. Its hash contains its beginning, which may have changed, too; it
  // keeps the former hash where another row has the new one. Words that the model found are its own, unlike a correction.
  await tx.$executeRaw`
    UPDATE memories SET text = fact.text, valid_from = fact.valid_from, valid_to = fact.valid_to,
      superseded_by = fact.superseded_by, sources = fact.sources, evidence = fact.evidence, is_sure = fact.is_sure,
      said_at = fact.said_at, holds_until = fact.holds_until, wording = fact.wording, indexed_in = NULL,
      writer = CASE WHEN fact.wording IS DISTINCT FROM memories.wording THEN fact.writer ELSE memories.writer END,
      content_hash = CASE WHEN EXISTS (
        SELECT 1 FROM memories AS twin
        WHERE twin.person_id = memories.person_id AND twin.companion_id = memories.companion_id
          AND twin.audience = memories.audience AND twin.content_hash = fact.content_hash
      ) THEN memories.content_hash ELSE fact.content_hash END
    FROM ${relationOf(facts.map(toRow)).relation} AS fact
    WHERE memories.id = fact.id AND memories.id = ANY (${facts.map(({ fact }) => fact.id)}::uuid[])`;
}
