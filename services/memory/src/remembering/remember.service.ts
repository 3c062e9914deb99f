import { gatewayContract, MAX_TURNS_IN_JOB, memoryContract, type ReadTurn } from '@kith/contracts';
import { toJsonb, uuid7, type Database, type Reader, type TurnLedger, type Writer } from '@kith/database';
import { oneByOne, type Messenger } from '@kith/messaging';
import { step } from '@kith/service-host';
import type { Speakers } from '../recall/speakers.js';
import type { IndexingService } from '../indexing/indexing.service.js';
import { readPrivateTimes } from '../keeping/privacy.service.js';
import { COLUMNS, lockPerson, type MemoryRow } from '../storage/memory-records.js';
import type { DailyCount } from './daily-count.js';
import { decideWrite, MOST_A_DAY, shelfFor } from './decide-write.js';
import { planRemembering, type MemoryDraft } from './plan-remembering.js';

/** What is said daily keeps its latest sources: enough to undo, without growing for ever. */
const MAX_SOURCES = 200;

/** A person writes on for a while: what they said is read together. */
const READ_AFTER_MS = 20_000;
const MOST_ORDERED = 10_000;

/** Keeps what was said in finished turns. */
export class RememberService {
  /** When reading was last ordered, for whom. */
  readonly #ordered = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
    private readonly indexing: IndexingService,
    private readonly ledger: TurnLedger,
    private readonly speakers: Speakers,
    private readonly kept: DailyCount,
  ) {}

  /**
   * Stores the rows and notes the turns as handled, then has them indexed: with embedding or the index down the
   * rows are there already (recall finds them by their words) and this throws `unavailable`, to be tried again.
   * The same turn again stores nothing.
   */
  async remember(turnIds: string[]): Promise<void> {
    step('memory-extracting');
    const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds });
    const places = Map.groupBy(turns, (turn) => Object.values(placeOf(turn)).join(' '));
    await oneByOne([...places.values()], (own) => this.#remember(own));
  }

  /** Remembers turns again, of which something was removed that is not to be forgotten. */
  async reread(personId: string, turnIds: string[]): Promise<void> {
    await this.database.write({ personId }, (tx) => this.ledger.reopen(tx, turnIds));
    for (let from = 0; from < turnIds.length; from += MAX_TURNS_IN_JOB) {
      const some = turnIds.slice(from, from + MAX_TURNS_IN_JOB);
      await this.messenger.enqueue(memoryContract.remember, { turnIds: some });
    }
  }

  /** What one person said to one companion before one audience. */
  async #remember(turns: ReadTurn[]): Promise<void> {
    const { personId, companionId } = turns[0]!;
    const drafts = turns.flatMap((turn) => planRemembering(turn).map((draft): Draft => ({ ...draft, turn })));
    const kept = await this.database.write({ personId }, async (tx): Promise<Kept> => {
      // Given at once, they are sent at once, and still carried out one after the other: behind the lock.
      const [notedIds, , refusals, isPrivate, keptToday] = await Promise.all([
        this.ledger.noteAll(tx, personId, turns),
        lockPerson(tx, personId),
        readRefusals(tx, turns[0]!, drafts),
        readPrivateTimes(tx, personId),
        this.kept.today(personId, new Date(), (since) => countSaid(tx, personId, since)),
      ]);
      const noted = new Set(notedIds);
      const [anew, again] = split(drafts, ({ turn }) => noted.has(turn.turnId));
      const known = await rowsHolding(tx, again);
      const wanted = withoutPrivate(isPrivate, withoutForgotten(refusals, anew));
      const { ids, fresh } = await keepDrafts(tx, wanted, keptToday);
      return { ids: [...known, ...ids], fresh: known.length > 0 ? null : fresh };
    });
    if (kept.ids.length === 0) return;
    this.kept.add(personId, kept.fresh?.length ?? 0);
    for (const { displayName } of turns) this.speakers.heard(personId, displayName);
    // Before the index, which may be away: reading needs the words alone.
    await this.#orderReading(personId, companionId);
    // A job that comes again does not know how far the last one came.
    if (kept.fresh) await this.indexing.indexRows(personId, kept.fresh);
    else await this.indexing.indexPending(personId);
    await this.messenger.announce(memoryContract.remembered, {
      personId,
      companionId,
      turnIds: turns.map(({ turnId }) => turnId),
      memoryIds: kept.ids,
    });
  }

  /** Once in a while: as long as the job waits, another order of it adds nothing. */
  async #orderReading(personId: string, companionId: string): Promise<void> {
    const whose = `${personId} ${companionId}`;
    const now = performance.now();
    if ((this.#ordered.get(whose) ?? Number.NEGATIVE_INFINITY) > now - READ_AFTER_MS / 2) return;
    await this.messenger.enqueue(
      memoryContract.extract,
      { personId, companionId },
      { delayMs: READ_AFTER_MS },
    );
    if (this.#ordered.size > MOST_ORDERED) this.#ordered.clear();
    this.#ordered.set(whose, now);
  }
}

type Draft = MemoryDraft & { turn: ReadTurn };

/** The rows that hold what was said, and those of them that are new; null: some that was kept is to be indexed, too. */
interface Kept {
  ids: string[];
  fresh: MemoryRow[] | null;
}

/** What was kept of a person's talk since then, as far as it bounds anything. What they import has no bound. */
async function countSaid(reader: Reader, personId: string, since: Date): Promise<number> {
  const [row] = await reader.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT 1 FROM memories
      WHERE person_id = ${personId}::uuid AND kind = 'episode' AND writer = 'person' AND created_at >= ${since}
      LIMIT ${MOST_A_DAY}
    ) AS said`;
  return row?.count ?? 0;
}

/** An order to forget, as far as it concerns what is to be kept. */
interface Refusal {
  sources: string[];
  everything: boolean;
  saidFrom: Date | null;
  saidTo: Date | null;
  revision: number | null;
  at: Date;
}

/** What the person had forgotten, or changed, of these messages and of all they say to this companion. */
function readRefusals(
  reader: Reader,
  { personId, companionId }: ReadTurn,
  drafts: readonly Draft[],
): Promise<Refusal[]> {
  return reader.$queryRaw<Refusal[]>`
    SELECT sources, everything, said_from AS "saidFrom", said_to AS "saidTo", revision, at FROM forget_records
    WHERE person_id = ${personId}::uuid AND (companion_id IS NULL OR companion_id = ${companionId})
      AND (everything OR said_from IS NOT NULL OR sources && ${sourcesOf(drafts)}::text[])`;
}

/** Drops what the person had forgotten before this job got to store it, and words that were changed meanwhile. */
function withoutForgotten(records: readonly Refusal[], drafts: Draft[]): Draft[] {
  const forgotten = new Set(
    records.filter(({ revision }) => revision === null).flatMap(({ sources }) => sources),
  );
  const changed = new Map<string, number>();
  for (const { sources, revision } of records) {
    for (const source of sources) changed.set(source, Math.max(changed.get(source) ?? 0, revision ?? 0));
  }
  const clearedAt = Math.max(...records.map(({ everything, at }) => (everything ? at.getTime() : -Infinity)));
  return drafts.filter(({ sources, saidAt, revision, turn: { startedAt } }) => {
    const isAfter = startedAt === undefined ? clearedAt === -Infinity : Date.parse(startedAt) > clearedAt;
    const isGone = (source: string) => forgotten.has(source) || (changed.get(source) ?? 0) > revision;
    return isAfter && !sources.some(isGone) && !records.some(covers(saidAt));
  });
}

const covers =
  (saidAt: Date) =>
  ({ saidFrom, saidTo }: { saidFrom: Date | null; saidTo: Date | null }): boolean =>
    saidFrom !== null && saidTo !== null && saidFrom <= saidAt && saidAt < saidTo;

/** Drops what was said while the person did not want to be remembered. */
function withoutPrivate(isPrivate: (at: Date) => boolean, drafts: Draft[]): Draft[] {
  // Said then, or answered then: what is said last before the end may begin its turn after it.
  return drafts.filter(
    ({ saidAt, turn }) => !isPrivate(saidAt) && !isPrivate(new Date(turn.startedAt ?? turn.endedAt)),
  );
}

/** Inserts what is new, adds a source to what is known. All drafts are of one place. */
async function keepDrafts(tx: Writer, drafts: Draft[], keptToday: number): Promise<Kept> {
  if (drafts.length === 0) return { ids: [], fresh: [] };
  const { personId, companionId, audience } = placeOf(drafts[0]!.turn);
  const unique = withoutTwins(drafts);
  const twins = await tx.$queryRaw<Twin[]>`
    SELECT id, content_hash AS "contentHash", said_at AS "saidAt", sources, shelf FROM memories
    WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience}
      AND kind = 'episode' AND content_hash = ANY (${unique.map(({ contentHash }) => contentHash)}::text[])`;
  const twinOf = ({ contentHash }: Draft) => twins.find((row) => row.contentHash === contentHash);
  const [known, unknown] = split(unique, (draft) => twinOf(draft) !== undefined);
  await Promise.all(known.map((draft) => sayAgain(tx, twinOf(draft)!, draft)));
  const rows = unknown.map(({ turn, text, contentHash, importance, saidAt, sources }, n) => {
    const { shelf, shelfReason } = shelfFor(decideWrite(text, keptToday + n));
    return {
      ...{ id: uuid7(), text, content_hash: contentHash, importance, said_at: saidAt, sources },
      ...{ turn_id: turn.turnId, conversation: turn.conversationId, speaker: turn.displayName },
      ...{ shelf, shelf_reason: shelfReason },
    };
  });
  const fresh =
    rows.length === 0
      ? []
      : await tx.$queryRaw<MemoryRow[]>`
          INSERT INTO memories AS row (id, person_id, companion_id, audience, kind, writer, text, content_hash,
            importance, said_at, sources, turn_id, conversation, speaker, shelf, shelf_reason)
          SELECT id, ${personId}::uuid, ${companionId}, ${audience}, 'episode', 'person', text, content_hash,
            importance, said_at, sources, turn_id, conversation, speaker, shelf, shelf_reason
          FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS draft (id uuid, text text, content_hash text,
            importance float8, said_at timestamptz, sources text[], turn_id uuid, conversation text, speaker text,
            shelf text, shelf_reason text)
          RETURNING ${COLUMNS}`;
  const isAnyBack = twins.some(({ shelf }) => shelf === 'archive');
  return {
    ids: [...twins, ...fresh].map(({ id }) => id),
    fresh: isAnyBack ? null : fresh.filter(({ shelf }) => shelf === 'open'),
  };
}

type Twin = Pick<MemoryRow, 'id' | 'contentHash' | 'saidAt' | 'sources' | 'shelf'>;

/** Notes that what is kept was said once more. */
async function sayAgain(tx: Writer, twin: Twin, draft: Draft): Promise<void> {
  const sources = [...new Set([...twin.sources, ...draft.sources])].slice(-MAX_SOURCES);
  const isLater = draft.saidAt > twin.saidAt;
  // Said again, it is of use; and who says "I live in Paris" again may have been elsewhere meanwhile.
  await tx.$executeRaw`
    UPDATE memories SET sources = ${sources}::text[], read_at = NULL,
      said_at = CASE WHEN ${isLater} THEN ${draft.saidAt}::timestamptz ELSE said_at END,
      turn_id = CASE WHEN ${isLater} THEN ${draft.turn.turnId}::uuid ELSE turn_id END,
      shelf_reason = CASE WHEN shelf = 'archive' THEN NULL ELSE shelf_reason END,
      shelf = CASE WHEN shelf = 'archive' THEN 'open' ELSE shelf END
    WHERE id = ${twin.id}::uuid`;
}

/** The same words said twice are one draft, of when they were said last. */
function withoutTwins(drafts: readonly Draft[]): Draft[] {
  const byHash = Map.groupBy(drafts, ({ contentHash }) => contentHash);
  return [...byHash.values()].map((same) => ({
    ...same.reduce((a, b) => (a.saidAt < b.saidAt ? b : a)),
    sources: [...new Set(sourcesOf(same))].slice(-MAX_SOURCES),
  }));
}

/** The rows that these messages went into the first time, as far as they are still there. */
async function rowsHolding(reader: Reader, drafts: Draft[]): Promise<string[]> {
  if (drafts.length === 0) return [];
  const { personId, companionId, audience } = placeOf(drafts[0]!.turn);
  const rows = await reader.$queryRaw<{ id: string }[]>`
    SELECT id FROM memories
    WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience}
      AND kind = 'episode' AND sources && ${sourcesOf(drafts)}::text[]`;
  return rows.map(({ id }) => id);
}

function placeOf({ personId, companionId, audience }: ReadTurn) {
  return { personId, companionId, audience };
}

function sourcesOf(drafts: readonly Draft[]): string[] {
  return drafts.flatMap(({ sources }) => sources);
}

function split<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
