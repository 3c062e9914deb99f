import type { ForgetNamed, TalkLine, Withheld } from '@kith/contracts';
import { type Database, type Tx, sql } from '@kith/database';
import { findQuotes, repeats, tellingWords, type SaidLine } from './find-quotes.js';

/** Which of a person's lines are meant. */
export interface TalkChoice {
  personId: string;
  companionId: string | null;
  /** By messages, by when they were said, or all from before a time. */
  what: { sources: string[] } | { from: Date; to: Date } | { before: Date };
}

/** What was remembered of it, by which traces and replies are found that were written with it. */
export interface Remembered {
  memoryIds: readonly string[];
  sources: readonly string[];
}

interface Chosen extends SaidLine {
  conversationId: string;
  messageId: string | null;
  at: Date;
  withheld: string | null;
}

export interface Touched {
  lines: number;
  turnIds: string[];
  messageIds: string[];
}

/** Lines after a forgotten one that are looked at for repetitions: some weeks of a busy channel. */
const MAX_LATER = 5_000;
/** What a preview shows. */
const MAX_SHOWN = 20;

/** The transcript, as far as lines of it are to be told no more, or again. */
export class TalkRecords {
  constructor(private readonly database: Database) {}

  /** The lines that would go, the newest first. */
  async preview(choice: TalkChoice): Promise<{ lines: number; talk: TalkLine[] }> {
    const chosen = await this.database.asPerson(choice.personId, (tx) => choose(tx, choice));
    const told = chosen.filter(({ withheld }) => withheld === null);
    return {
      lines: told.length,
      talk: told
        .toReversed()
        .slice(0, MAX_SHOWN)
        .map(({ text, at }) => ({ role: 'person', text, at: at.toISOString() })),
    };
  }

  /** The turns in which these messages were said. */
  turnsOf(personId: string, messageIds: readonly string[]): Promise<string[]> {
    return this.database.asPerson(personId, (tx) => turnsOf(tx, personId, messageIds));
  }

  /**
   * Takes lines out of use, with the replies to them and what repeats them, and takes what was remembered of them out of
   * traces. The words are sealed until `until`; without it they are gone. Nobody's turn that is under way keeps a reply
   * that was written with them. Safe to repeat.
   */
  forget(
    order: { orderId: string; until: Date | null; keepTalk: boolean },
    choice: TalkChoice,
    remembered: Remembered,
  ): Promise<Touched> {
    const { personId } = choice;
    return this.database.asSystem(async (tx) => {
      await outdate(tx, personId);
      const chosen = await choose(tx, choice);
      const touched = {
        lines: 0,
        turnIds: [...new Set(chosen.map(({ turnId }) => turnId))],
        messageIds: chosen.flatMap(({ messageId }) => messageId ?? []),
      };
      const recalled = await cleanTraces(tx, personId, remembered);
      if (order.keepTalk) return touched;
      const fresh = chosen.filter(({ text }) => text !== '');
      const gone = new Map(fresh.map((line) => [line.id, tellingWords(line.text)]));
      const quotes = await quotesOf(tx, fresh, gone, true);
      const words = new Set(
        [...gone.values(), ...recalled.texts.map(tellingWords)].flatMap((some) => [...some]),
      );
      quotes.push(...(await recalledQuotes(tx, recalled.turnIds, words)));
      const ids = [...new Set([...fresh.map(({ id }) => id), ...quotes])];
      if (order.until !== null) await seal(tx, { ...order, until: order.until, personId }, ids);
      await empty(tx, ids, 'forgotten');
      return { ...touched, lines: ids.length };
    });
  }

  /** Takes what was recalled of memories or messages out of a person's traces. */
  async clean(personId: string, remembered: Remembered): Promise<void> {
    await this.database.asSystem((tx) => cleanTraces(tx, personId, remembered));
  }

  /** Puts the words of an order back. Returns the turns of the lines that are told again, and how many lines. */
  undo(personId: string, orderId: string): Promise<{ lines: number; turnIds: string[] }> {
    return this.database.asSystem(async (tx) => {
      const rows = await tx.$queryRaw<{ turnId: string }[]>`
        UPDATE transcript SET text = sealed.text, withheld = NULL FROM sealed_lines AS sealed
        WHERE sealed.order_id = ${orderId}::uuid AND sealed.person_id = ${personId}::uuid AND sealed.until > now()
          AND transcript.id = sealed.line_id AND transcript.withheld = 'forgotten'
        RETURNING turn_id AS "turnId"`;
      await tx.sealedLine.deleteMany({ where: { orderId } });
      return { lines: rows.length, turnIds: [...new Set(rows.map(({ turnId }) => turnId))] };
    });
  }

  /** What the companion started, or meant to, for a reason that is forgotten. */
  async forgetStarted(
    { orderId, personId, until }: { orderId: string; personId: string; until: Date | null },
    attemptIds: readonly string[],
  ): Promise<number> {
    if (attemptIds.length === 0) return 0;
    return this.database.asSystem(async (tx) => {
      // Kept with the order: an attempt that is heard of later is not carried out.
      await tx.$executeRaw`
        UPDATE forget_orders SET what = what || jsonb_build_object('attemptIds', ${[...attemptIds]}::text[])
        WHERE id = ${orderId}::uuid`;
      await tx.$executeRaw`
        UPDATE inbox SET text = '', revision = revision + 1, deleted_at = now()
        WHERE person_id = ${personId}::uuid AND origin = 'outreach' AND external_id = ANY (${[...attemptIds]}::text[])
          AND outcome IS NULL`;
      const rows = await tx.$queryRaw<{ id: bigint }[]>`
        SELECT line.id FROM inbox JOIN transcript AS line USING (turn_id)
        WHERE inbox.person_id = ${personId}::uuid AND inbox.origin = 'outreach'
          AND inbox.external_id = ANY (${[...attemptIds]}::text[]) AND line.withheld IS NULL`;
      const ids = rows.map(({ id }) => id);
      if (until !== null) await seal(tx, { orderId, personId, until }, ids);
      await empty(tx, ids, 'forgotten');
      return ids.length;
    });
  }
}

/** Was this message of the companion's own called off, because what it was about is forgotten? */
export async function isCalledOff(database: Database, personId: string, attemptId: string): Promise<boolean> {
  const rows = await database.asPerson(
    personId,
    (tx) => tx.$queryRaw<unknown[]>`
      SELECT 1 FROM forget_orders
      WHERE person_id = ${personId}::uuid AND jsonb_exists(what -> 'attemptIds', ${attemptId}) LIMIT 1`,
  );
  return rows.length > 0;
}

/**
 * Has no reply told that is under way, and written with lines or memories of this person as they were. Waits for turns
 * that are being committed, so that what they wrote is seen.
 */
export async function outdate(tx: Tx, personId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE conversations SET retold = retold + 1 WHERE conversation_id = ANY (ARRAY(
      SELECT conversation_id FROM conversations
      WHERE person_id = ${personId}::uuid OR conversation_id IN (
        SELECT conversation_id FROM turns WHERE person_id = ${personId}::uuid
        UNION SELECT conversation_id FROM inbox WHERE person_id = ${personId}::uuid AND outcome IS NULL)
      ORDER BY conversation_id FOR UPDATE))`;
}

/** Replies, later ones too, that go with lines whose words are gone. */
export async function quotesOf(
  tx: Tx,
  lines: readonly { id: bigint; conversationId: string }[],
  gone: ReadonlyMap<bigint, ReadonlySet<string>>,
  withReplies: boolean,
): Promise<bigint[]> {
  const found: bigint[] = [];
  for (const [conversationId, own] of Map.groupBy(lines, (line) => line.conversationId)) {
    const first = own.reduce((least, { id }) => (id < least ? id : least), own[0]!.id);
    const later = await tx.transcriptMessage.findMany({
      where: { conversationId, id: { gte: first } },
      orderBy: { id: 'asc' },
      take: MAX_LATER,
      select: { id: true, turnId: true, role: true, text: true, withheld: true },
    });
    const quotes = findQuotes(later, gone, withReplies);
    const told = new Set(later.filter(({ withheld }) => withheld !== 'deleted').map(({ id }) => id));
    found.push(...quotes.filter((id) => told.has(id)));
  }
  return found;
}

/** Takes the words of lines away, and of the copies that turns work with. */
export async function empty(tx: Tx, ids: readonly bigint[], why: Withheld): Promise<void> {
  if (ids.length === 0) return;
  await tx.$executeRaw`
    WITH emptied AS (
      UPDATE transcript SET text = '', withheld = ${why} WHERE id = ANY (${[...ids]}::bigint[])
      RETURNING turn_id, role, external_id, conversation_id
    ), said AS (
      UPDATE inbox SET text = '' FROM emptied
      WHERE inbox.conversation_id = emptied.conversation_id AND inbox.external_id = emptied.external_id
        AND inbox.outcome IS NOT NULL
    )
    UPDATE outbox SET text = '' FROM emptied
    WHERE outbox.turn_id = emptied.turn_id AND emptied.role = 'companion' AND outbox.status <> 'pending'`;
}

/** The memories that a turn was shown: those it recalled, with their words, and others, by their ids alone. */
export const shownIn = sql`jsonb_array_elements(
  CASE WHEN jsonb_typeof(trace -> 'recalled') = 'array' THEN trace -> 'recalled' ELSE '[]' END
  || CASE WHEN jsonb_typeof(trace -> 'alsoShown') = 'array' THEN trace -> 'alsoShown' ELSE '[]' END)`;

/** Takes out of a person's traces what was recalled of memories or messages that are gone. Returns what it took. */
async function cleanTraces(
  tx: Tx,
  personId: string,
  { memoryIds, sources }: Remembered,
): Promise<{ turnIds: string[]; texts: string[] }> {
  if (memoryIds.length + sources.length === 0) return { turnIds: [], texts: [] };
  const isGone = sql`(entry ->> 'id' = ANY (${[...memoryIds]}::text[])
    OR jsonb_exists_any(entry -> 'sources', ${[...sources]}::text[]))`;
  const rows = await tx.$queryRaw<{ turnId: string; text: string | null }[]>`
    SELECT turn_id AS "turnId", entry ->> 'text' AS text FROM turns
    CROSS JOIN LATERAL ${shownIn} AS entry
    WHERE person_id = ${personId}::uuid AND ${isGone}`;
  const turnIds = [...new Set(rows.map(({ turnId }) => turnId))];
  if (turnIds.length > 0) {
    await tx.$executeRaw`
      UPDATE turns SET trace = jsonb_set(trace, '{recalled}', coalesce((
        SELECT jsonb_agg(entry) FROM jsonb_array_elements(trace -> 'recalled') AS entry WHERE NOT ${isGone}), '[]'))
      WHERE turn_id = ANY (${turnIds}::uuid[]) AND jsonb_typeof(trace -> 'recalled') = 'array'`;
  }
  return { turnIds, texts: rows.flatMap(({ text }) => text ?? []) };
}

/** The turns of a person that were shown what was remembered of a message. */
export async function turnsShown(tx: Tx, personId: string, source: string): Promise<string[]> {
  const rows = await tx.$queryRaw<{ turnId: string }[]>`
    SELECT DISTINCT turn_id::text AS "turnId" FROM turns CROSS JOIN LATERAL ${shownIn} AS entry
    WHERE person_id = ${personId}::uuid AND jsonb_exists(entry -> 'sources', ${source})`;
  return rows.map(({ turnId }) => turnId);
}

/** Of replies that were written with a memory in view, those that repeat its words, and those that repeat such a reply. */
export async function recalledQuotes(
  tx: Tx,
  turnIds: readonly string[],
  words: ReadonlySet<string>,
): Promise<bigint[]> {
  if (turnIds.length === 0) return [];
  const lines = await tx.transcriptMessage.findMany({
    where: { turnId: { in: [...turnIds] }, OR: [{ withheld: null }, { withheld: 'left' }] },
    select: { id: true, conversationId: true, turnId: true, role: true, text: true },
  });
  const saidIn = (turnId: string) =>
    lines.flatMap((line) =>
      line.turnId === turnId && line.role === 'person' ? [...tellingWords(line.text)] : [],
    );
  const found = lines
    .filter(({ role }) => role === 'companion')
    .filter(({ text, turnId }) => repeats(text, words, new Set(saidIn(turnId))));
  const repeated = new Map(
    found.map(({ id, text }) => [id, new Set([...tellingWords(text)].filter((word) => words.has(word)))]),
  );
  return [...repeated.keys(), ...(await quotesOf(tx, found, repeated, false))];
}

async function turnsOf(tx: Tx, personId: string, messageIds: readonly string[]): Promise<string[]> {
  const rows = await tx.$queryRaw<{ turnId: string }[]>`
    SELECT DISTINCT turn_id::text AS "turnId" FROM inbox
    WHERE external_id = ANY (${[...messageIds]}::text[]) AND person_id = ${personId}::uuid AND turn_id IS NOT NULL`;
  return rows.map(({ turnId }) => turnId);
}

/** The person's own lines that are meant, in order. */
async function choose(tx: Tx, { personId, companionId, what }: TalkChoice): Promise<Chosen[]> {
  const turns =
    'sources' in what
      ? sql`turns.turn_id = ANY (${await turnsOf(tx, personId, what.sources)}::uuid[])
          AND line.external_id = ANY (${what.sources}::text[])`
      : 'before' in what
        ? sql`turns.started_at <= ${what.before}`
        : sql`line.at >= ${what.from} AND line.at < ${what.to}`;
  return tx.$queryRaw<Chosen[]>`
    SELECT line.id, line.turn_id AS "turnId", line.conversation_id AS "conversationId", line.role, line.text,
      line.external_id AS "messageId", line.at, line.withheld
    FROM turns JOIN transcript AS line USING (turn_id)
    WHERE turns.person_id = ${personId}::uuid AND line.role = 'person' AND ${turns}
      AND (${companionId}::text IS NULL OR turns.companion_id = ${companionId})
    ORDER BY line.id`;
}

/** What was withheld before for another reason is not sealed: nothing of it comes back. */
async function seal(
  tx: Tx,
  { orderId, personId, until }: { orderId: string; personId: string; until: Date },
  ids: readonly bigint[],
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO sealed_lines (order_id, line_id, person_id, text, until)
    SELECT ${orderId}::uuid, id, ${personId}::uuid, text, ${until} FROM transcript
    WHERE id = ANY (${[...ids]}::bigint[]) AND withheld IS NULL ON CONFLICT DO NOTHING`;
}

/** What an order means for the transcript. */
export function talkOf(what: ForgetNamed, sources: readonly string[], at: Date): TalkChoice['what'] {
  switch (what.kind) {
    case 'all':
      return { before: at };
    case 'period':
      return { from: new Date(what.from), to: new Date(what.to) };
    case 'sources':
      return { sources: [...new Set([...what.sources, ...sources])] };
    case 'ids':
      return { sources: [...sources] };
  }
}
