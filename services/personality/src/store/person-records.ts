import type { personalityContract, QuirkKind, RequestOutput } from '@kith/contracts';
import {
  PersonRows,
  sealOrderOf,
  type Database,
  type DiaryEntryModel,
  type QuirkModel,
  type SealedRows,
  type SealOrder,
  type TurnLedger,
  type Tx,
  rawSql,
  sql,
  type Sql,
  columnOf,
} from '@kith/database';
import { diaryWithout, diaryWithoutFaded } from '../night/diary-for.js';
import { type SpokenWhere, isBorne } from '../night/witnesses.js';
import { lockPeople } from './lock-person.js';
import { quirkOf } from './reflection-records.js';

type ForgetRequest = RequestOutput<typeof personalityContract.forget>;

const TABLES = [
  'felt_turns',
  'affect_events',
  'relationships',
  'quirk_sources',
  'diary_sources',
  'shared_jokes',
  'prospects',
  'personality_handled_turns',
  'personality_sealed_rows',
];

/** Everything that personality keeps of people. The companion's own mood and needs are nobody's, and stay. */
export class PersonRecords {
  private readonly rows: PersonRows;

  constructor(
    private readonly database: Database,
    private readonly sealed: SealedRows,
    private readonly ledger: TurnLedger,
  ) {
    this.rows = new PersonRows(database, TABLES);
  }

  count(personId: string): Promise<Record<string, number>> {
    return this.rows.count(personId);
  }

  /** Removes a person, and habits that come from nobody else. Safe to repeat. */
  async erase(personId: string): Promise<void> {
    // Only the system may see whose the other sources are.
    await this.database.asSystem(async (tx) => {
      const isTheirs = sql`person_id = ${personId}::uuid`;
      await clearDiary(tx, await dropHabits(tx, isTheirs), isTheirs);
    });
    await this.rows.erase(personId);
  }

  /**
   * Removes jokes, prospects and habits that come from the named turns or messages, or from before a time, and the jokes and
   * ways of speaking of replies, to whomever, that repeat it. Emotions stay; they hold no words. Safe to repeat. Returns
   * the number of rows.
   */
  forget(request: ForgetRequest): Promise<number> {
    const { personId, turnIds, replyTurnIds } = request;
    const order = sealOrderOf(request);
    // A habit may come from others as well, and only the system may see whose its sources are.
    return this.database.asSystem(async (tx) => {
      const answered = await tx.$queryRaw<{ personId: string }[]>`
        SELECT DISTINCT person_id::text AS "personId" FROM felt_turns WHERE turn_id = ANY (${[...replyTurnIds]}::uuid[])`;
      // Also those whom the replies answered: a night may be saving what it found in them.
      await lockPeople(tx, [{ personId }, ...answered]);
      await this.ledger.noteForgotten(tx, personId, turnIds);
      // A night that has read what was said in them reads the day anew.
      await tx.$executeRaw`
        UPDATE personality_handled_turns SET at = now() WHERE turn_id = ANY (${[...turnIds, ...replyTurnIds]}::uuid[])`;
      // Until then it counts as unfinished, and is asked for again.
      if (request.isReread)
        await tx.$executeRaw`UPDATE personality_handled_turns SET edited_at = now() WHERE turn_id = ANY (${[...turnIds]}::uuid[])`;
      const dropped: MentionedQuirk[] = [];
      let habits = await this.forgetHabits(tx, order, request, dropped);
      for (const theirs of answered) {
        const replies = { turnIds: replyTurnIds, before: null };
        habits += await this.forgetHabits(tx, { ...order, ...theirs }, replies, dropped, OF_REPLIES);
      }
      const isOwn = sql`person_id = ${personId}::uuid AND turn_id = ANY (${[...turnIds]}::uuid[])`;
      await clearDiary(tx, dropped, sql`${isOwn} OR turn_id = ANY (${[...replyTurnIds]}::uuid[])`);
      const turns = sql`${[...turnIds]}::uuid[]`;
      const isJoke = ofOrder(request, sql`gone.turn_ids && ${turns}`, sql`gone.laughed_at`);
      const jokes = await this.sealed.removeAlsoSealed(tx, order, 'shared_jokes', isJoke);
      const repeated = await this.forgetReplies(tx, order, replyTurnIds);
      const isProspect = ofOrder(request, sql`gone.turn_id = ANY (${turns})`, sql`gone.since`);
      const prospects = await this.sealed.removeAlsoSealed(tx, order, 'prospects', isProspect);
      return habits + jokes + repeated + prospects;
    });
  }

  /** Removes sources in turns of the order's person, and habits that lack support then; adds those to `dropped`. */
  private async forgetHabits(
    tx: Tx,
    order: SealOrder,
    { turnIds, before }: Pick<ForgetRequest, 'turnIds' | 'before'>,
    dropped: MentionedQuirk[],
    which = { here: sql`true`, sealed: sql`true` },
  ): Promise<number> {
    const turns = sql`${[...turnIds]}::uuid[]`;
    const isSource = sql`person_id = ${order.personId}::uuid AND turn_id = ANY (${turns}) AND ${which.here}`;
    const touched = await columnOf(tx)`
      SELECT DISTINCT quirk_id FROM quirk_sources AS gone WHERE ${isSource}`;
    const sources = await this.sealed.remove(tx, order, 'quirk_sources', isSource);
    const among = sql`quirks.id = ANY (${touched}::uuid[])`;
    // A habit that still has sources is not restored by an undo, because their owners may forget it meanwhile.
    const unwitnessed = await dropHabits(tx, sql`false`, sql`${among} AND EXISTS (${SOURCES})`);
    const bare = await tx.$queryRaw<(MentionedQuirk & { id: string })[]>`
      SELECT id, companion_id AS "companionId", kind, text FROM quirks
      WHERE ${among} AND origin = 'reflection' AND NOT EXISTS (${SOURCES})`;
    const isBare = sql`gone.id = ANY (${bare.map(({ id }) => id)}::uuid[])`;
    const habits = await this.sealed.remove(tx, order, 'quirks', isBare);
    dropped.push(...unwitnessed, ...bare);
    const isNamed = sql`(row ->> 'turn_id')::uuid = ANY (${turns}) OR ${before}::timestamptz IS NOT NULL`;
    await burnHabits(tx, this.sealed, order, sql`(${isNamed}) AND (${which.sealed})`);
    return unwitnessed.length + habits + sources;
  }

  /** Removes the jokes that the companion made in these turns, sealed for the person it shared them with. */
  private async forgetReplies(tx: Tx, order: SealOrder, turnIds: readonly string[]): Promise<number> {
    const isRepeated = sql`gone.said_by = 'companion' AND gone.turn_id = ANY (${[...turnIds]}::uuid[])`;
    const people = await tx.$queryRaw<{ personId: string }[]>`
      SELECT DISTINCT person_id::text AS "personId" FROM shared_jokes AS gone WHERE ${isRepeated}`;
    let rows = 0;
    for (const { personId } of people) {
      const its = sql`${isRepeated} AND gone.person_id = ${personId}::uuid`;
      rows += await this.sealed.remove(tx, { ...order, personId }, 'shared_jokes', its);
    }
    return rows;
  }

  /** Restores what an order removed and no other order names, while it can be undone. Returns the number of rows. */
  async undo({ orderId, personId }: RequestOutput<typeof personalityContract.undoForget>): Promise<number> {
    return this.database.asSystem(async (tx) => {
      const owners = await tx.$queryRaw<{ personId: string }[]>`
        SELECT DISTINCT person_id::text AS "personId" FROM personality_sealed_rows WHERE order_id = ${orderId}::uuid`;
      // Also whoever the removed replies answered: they may be forgetting the same words.
      await lockPeople(tx, [{ personId }, ...owners]);
      await burnLoose(tx, this.sealed, orderId);
      return this.sealed.restoreAndCount(tx, orderId);
    });
  }

  /**
   * Removes how these turns were felt, and habits, jokes and hopes that come from them; the bonds that they made stay.
   * A job that handles one late stores nothing. Safe to repeat.
   */
  forgetTurns(turns: readonly { turnId: string; personId: string }[]): Promise<void> {
    const turnIds = turns.map(({ turnId }) => turnId);
    const among = sql`turn_id = ANY (${[...turnIds]}::uuid[])`;
    return this.database.asSystem(async (tx) => {
      // A joke may be kept of a turn that is being forgotten.
      await lockPeople(tx, turns);
      // Marked as handled first: a job that reads one of these turns now ends before this, or keeps nothing of it.
      await this.ledger.noteGone(tx, turns);
      await clearDiary(tx, await dropHabits(tx, among), among);
      for (const table of ['quirk_sources', 'diary_sources', 'affect_events', 'prospects', 'felt_turns'])
        await tx.$executeRaw`DELETE FROM ${rawSql(table)} WHERE ${among}`;
      await tx.sharedJoke.deleteMany({ where: { turnIds: { hasSome: [...turnIds] } } });
    });
  }
}

/** Matches rows, named `gone`, of a request's person and companion: from its turns or messages, or from before its time. */
function ofOrder(request: ForgetRequest, isOfTurns: Sql, since: Sql): Sql {
  const { personId, companionId, messageIds, before } = request;
  return sql`gone.person_id = ${personId}::uuid
    AND (${companionId}::text IS NULL OR gone.companion_id = ${companionId})
    AND (${isOfTurns} OR gone.message_ids && ${[...messageIds]}::text[] OR ${since} <= ${before}::timestamptz)`;
}

/** Matches sources of habits that replies alone make: those that are here, named `gone`, and those that are sealed. */
const OF_REPLIES = {
  here: sql`EXISTS (SELECT FROM quirks WHERE id = gone.quirk_id AND kind = 'speech')`,
  sealed: sql`EXISTS (SELECT FROM quirks WHERE id = (row ->> 'quirk_id')::uuid AND kind = 'speech') OR EXISTS (
    SELECT FROM personality_sealed_rows AS habit
    WHERE habit.relation = 'quirks' AND habit.row -> 'id' = personality_sealed_rows.row -> 'quirk_id'
      AND habit.row ->> 'kind' = 'speech')`,
};

const SOURCES = sql`SELECT FROM quirk_sources WHERE quirk_id = quirks.id`;

/**
 * Removes picked-up habits that their sources without these no longer support. Returns them. Checks all habits, because
 * restoring a backup removed the sources of people who were erased since it was written.
 */
async function dropHabits(tx: Tx, sources: Sql, among = sql`true`): Promise<MentionedQuirk[]> {
  const habits = await tx.$queryRaw<
    (MentionedQuirk & { id: string; audience: string; left: SpokenWhere[] })[]
  >`
    SELECT id, companion_id AS "companionId", kind, text, audience, (
      SELECT coalesce(jsonb_agg(jsonb_build_object('personId', person_id, 'audience', source.audience)
        ORDER BY turn_id), '[]') FROM quirk_sources AS source WHERE quirk_id = quirks.id AND NOT (${sources})) AS left
    FROM quirks WHERE origin = 'reflection' AND (${among})`;
  const dropped = habits.filter(({ audience, left }) => !isBorne(audience, left));
  await tx.quirk.deleteMany({ where: { id: { in: dropped.map(({ id }) => id) } } });
  return dropped;
}

/**
 * Deletes for good what earlier orders sealed of habits, where a later one names their sources: a habit is found in
 * the other turns again, if it is still there.
 */
async function burnHabits(tx: Tx, sealed: SealedRows, { orderId, personId }: SealOrder, isNamed: Sql) {
  const earlier = sql`person_id = ${personId}::uuid AND order_id <> ${orderId}::uuid`;
  await sealed.burn(tx, sql`${earlier} AND relation = 'quirk_sources' AND (${isNamed})`);
  await sealed.burn(
    tx,
    sql`${earlier} AND relation = 'quirks' AND NOT EXISTS (
      SELECT FROM personality_sealed_rows AS source
      WHERE source.relation = 'quirk_sources' AND source.row -> 'quirk_id' = personality_sealed_rows.row -> 'id')`,
  );
}

/** Deletes for good an order's sealed sources of habits that went with another order. */
async function burnLoose(tx: Tx, sealed: SealedRows, orderId: string): Promise<void> {
  await sealed.burn(
    tx,
    sql`order_id = ${orderId}::uuid AND relation = 'quirk_sources'
      AND NOT EXISTS (SELECT FROM quirks WHERE id = (row ->> 'quirk_id')::uuid)
      AND NOT EXISTS (
        SELECT FROM personality_sealed_rows AS habit
        WHERE habit.order_id = personality_sealed_rows.order_id AND habit.relation = 'quirks'
          AND habit.row -> 'id' = personality_sealed_rows.row -> 'quirk_id')`,
  );
}

type MentionedQuirk = Pick<QuirkModel, 'companionId' | 'kind' | 'text'>;

/**
 * Removes from the diary the mentions of dropped habits, and of those that cite these turns and have faded since: their
 * sources went with them. Once in a transaction: it locks all entries at once, in one order for all, as two who forget
 * at the same time would wait for each other, or write back what the other took out.
 */
async function clearDiary(tx: Tx, dropped: readonly MentionedQuirk[], cited: Sql): Promise<void> {
  const numbers = sql`SELECT number FROM diary_sources AS source
    WHERE (source.companion_id, source.day) = (diary_entries.companion_id, diary_entries.day) AND (${cited})`;
  const isMentioned = sql`EXISTS (
    SELECT FROM unnest(${dropped.map(({ companionId }) => companionId)}::text[], ${dropped.map(({ text }) => text)}::text[])
      AS habit (companion_id, text)
    WHERE habit.companion_id = diary_entries.companion_id AND position(habit.text IN diary_entries.text) > 0)`;
  const entries = await tx.$queryRaw<(EntryRow & { numbers: number[] })[]>`
    SELECT companion_id AS "companionId", day, text, ARRAY (${numbers}) AS numbers
    FROM diary_entries WHERE EXISTS (${numbers}) OR ${isMentioned} ORDER BY companion_id, day FOR UPDATE`;
  const citing = entries.filter(({ numbers: theirs }) => theirs.length > 0);
  const companionIds = [...new Set(citing.map(({ companionId }) => companionId))];
  const rows = await tx.quirk.findMany({ where: { companionId: { in: companionIds } } });
  for (const { companionId, day, text, numbers: theirs } of entries) {
    const quirks = rows.filter((row) => row.companionId === companionId).map(quirkOf);
    const left = dropped
      .filter((habit) => habit.companionId === companionId)
      .reduce(
        (lines, habit) => diaryWithout(lines, { kind: habit.kind as QuirkKind, text: habit.text }),
        diaryWithoutFaded(text, theirs, quirks),
      );
    if (left !== text)
      await tx.diaryEntry.update({ where: { companionId_day: { companionId, day } }, data: { text: left } });
  }
}

type EntryRow = Pick<DiaryEntryModel, 'companionId' | 'day' | 'text'>;
