import {
  gatewayContract,
  MAX_TURNS_IN_JOB,
  memoryContract,
  type Audience,
  type ReadTurn,
} from '@kith/contracts';
import { toJsonb, uuid7, type Database, type Reader, type TurnLedger, type Writer } from '@kith/database';
import { allOrOneByOne, oneByOne, type Messenger } from '@kith/messaging';
import { step } from '@kith/service-host';
import type { Speakers } from '../recall/speakers.js';
import type { IndexingService, PreparedPoints, ToIndex } from '../indexing/indexing.service.js';
import { readPrivateTimes } from '../keeping/privacy.service.js';
import { lockPerson, type MemoryRow } from '../storage/memory-records.js';
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
   * Stores the rows and notes the turns as handled, all turns in one transaction, with their points where the index is
   * in Postgres too. Elsewhere has them indexed after that: with embedding or the index down the rows are there already
   * (recall finds them by their words) and this throws `unavailable`, to be tried again. The same turn again stores
   * nothing.
   */
  async remember(turnIds: string[]): Promise<void> {
    step('memory-extracting');
    const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds });
    await allOrOneByOne(placesOf(turns), (places) => this.#remember(places));
  }

  /** Remembers turns again, of which something was removed that is not to be forgotten. */
  async reread(personId: string, turnIds: string[]): Promise<void> {
    await this.database.write({ personId }, (tx) => this.ledger.reopen(tx, turnIds));
    for (let from = 0; from < turnIds.length; from += MAX_TURNS_IN_JOB) {
      const some = turnIds.slice(from, from + MAX_TURNS_IN_JOB);
      await this.messenger.enqueue(memoryContract.remember, { turnIds: some });
    }
  }

  async #remember(places: readonly Place[]): Promise<void> {
    const prepared = await this.indexing.prepare(
      places.flatMap(({ drafts }) => drafts.map(({ text }) => text)),
    );
    const kept = await this.ledger.handle(
      places.map(({ personId }) => personId),
      async (people, tx) => {
        const known = await Promise.all(
          places.map((place) => people.of(place.personId, (its) => this.#look(its, place))),
        );
        const plans = planKeeping(places, known, prepared?.spaceId ?? null);
        return tx.last(() =>
          Promise.all(plans.map((plan) => people.of(plan.personId, (its) => keep(its, plan, prepared)))),
        );
      },
      // Elsewhere the points of what was stored could outlive it.
      { waitsForDisk: prepared === null },
    );
    if (prepared) step('embedding-written');
    await this.#follow(places, kept);
  }

  /** All that the place's rows depend on, behind the lock. Given at once, and carried out one after the other. */
  async #look(tx: Writer, { personId, companionId, audience, turns, drafts }: Place): Promise<Known> {
    const hashes = drafts.map(({ contentHash }) => contentHash);
    const [, noted, refusals, isPrivate, keptToday, twins] = await Promise.all([
      lockPerson(tx, personId),
      this.ledger.noteAll(tx, personId, turns),
      readRefusals(tx, turns[0]!, drafts),
      readPrivateTimes(tx, personId),
      this.kept.today(personId, new Date(), (since) => countSaid(tx, personId, since)),
      tx.$queryRaw<Twin[]>`
        SELECT id, content_hash AS "contentHash", said_at AS "saidAt", sources, shelf FROM memories
        WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience}
          AND kind = 'episode' AND content_hash = ANY (${hashes}::text[])`,
    ]);
    return { noted: new Set(noted), refusals, isPrivate, keptToday, twins };
  }

  /** What is done once rows are stored. */
  async #follow(places: readonly Place[], kept: readonly Kept[]): Promise<void> {
    for (const { personId, fresh, isCommitted } of kept) {
      isCommitted();
      this.kept.add(personId, fresh.length);
    }
    for (const { personId, turns } of places)
      for (const { displayName } of turns) this.speakers.heard(personId, displayName);
    // Before the index, which may be away: reading needs the words alone.
    await this.#orderReading(kept.filter(({ holdsAny }) => holdsAny));
    await oneByOne(kept, ({ personId, toIndex, mayLackMore }) =>
      // A job that comes again does not know how far the last one came.
      mayLackMore ? this.indexing.indexPending(personId) : this.indexing.indexRows(personId, toIndex),
    );
  }

  /** Once in a while: as long as the job waits, another order of it adds nothing. */
  async #orderReading(places: readonly Kept[]): Promise<void> {
    const now = performance.now();
    const before = now - READ_AFTER_MS / 2;
    const due = new Map(
      places
        .map(
          ({ personId, companionId }) => [`${personId} ${companionId}`, { personId, companionId }] as const,
        )
        .filter(([whose]) => (this.#ordered.get(whose) ?? Number.NEGATIVE_INFINITY) <= before),
    );
    if (due.size === 0) return;
    await this.messenger.enqueue(
      memoryContract.extract,
      { whose: [...due.values()], ...(due.size > 1 && { orderedAt: new Date().toISOString() }) },
      { delayMs: READ_AFTER_MS },
    );
    if (this.#ordered.size > MOST_ORDERED) this.#ordered.clear();
    for (const whose of due.keys()) this.#ordered.set(whose, now);
  }
}

type Draft = MemoryDraft & { turn: ReadTurn };

/** What one person said to one companion before one audience. */
interface Place {
  personId: string;
  companionId: string;
  audience: Audience;
  turns: ReadTurn[];
  drafts: Draft[];
}

/** What is known of a place before anything of it is kept. */
interface Known {
  /** Turns that were not handled before. */
  noted: ReadonlySet<string>;
  refusals: readonly Refusal[];
  isPrivate: (at: Date) => boolean;
  keptToday: number;
  /** Rows with the words of a draft. */
  twins: readonly Twin[];
}

/** What becomes of a place's drafts. */
interface Plan {
  personId: string;
  companionId: string;
  audience: Audience;
  fresh: NewRow[];
  /** Said once more. */
  again: { twin: Twin; draft: Draft }[];
  /** Some that was kept before may not be in the index. */
  mayLackMore: boolean;
}

/** What was stored of a place. */
interface Kept {
  personId: string;
  companionId: string;
  fresh: readonly NewRow[];
  /** Of those, what is to be indexed still. */
  toIndex: readonly ToIndex[];
  mayLackMore: boolean;
  /** Whether there is a row of it. */
  holdsAny: boolean;
  /** To be called when it is committed. */
  isCommitted: () => void;
}

interface NewRow extends ToIndex {
  contentHash: string;
  importance: number;
  sources: string[];
  turnId: string;
  speaker: string;
  shelf: string;
  shelfReason: string | null;
  indexedIn: string | null;
}

type Twin = Pick<MemoryRow, 'id' | 'contentHash' | 'saidAt' | 'sources' | 'shelf'>;

/** Turns by their places, in the order of their people: whoever locks several locks them in this order. */
function placesOf(turns: readonly ReadTurn[]): Place[] {
  const byPlace = Map.groupBy(turns, (turn) => [turn.personId, turn.companionId, turn.audience].join(' '));
  return [...byPlace]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => {
      const { personId, companionId, audience } = own[0]!;
      const drafts = own.flatMap((turn) => planRemembering(turn).map((draft): Draft => ({ ...draft, turn })));
      return { personId, companionId, audience, turns: own, drafts };
    });
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

/**
 * Decides what becomes of the drafts: what is new is kept, what is known gets a source more, what was forgotten or said
 * in private is neither. Pure.
 * @param indexedIn the space in which the new rows' points are written along with them
 */
function planKeeping(places: readonly Place[], known: readonly Known[], indexedIn: string | null): Plan[] {
  const keptToday = new Map<string, number>();
  return places.map(({ personId, companionId, audience, drafts }, at) => {
    const { noted, refusals, isPrivate, twins, ...before } = known[at]!;
    const anew = drafts.filter(({ turn }) => noted.has(turn.turnId));
    const wanted = withoutTwins(withoutPrivate(isPrivate, withoutForgotten(refusals, anew)));
    const twinOf = ({ contentHash }: Draft) => twins.find((row) => row.contentHash === contentHash);
    const again = wanted.flatMap((draft) => {
      const twin = twinOf(draft);
      return twin ? { twin, draft } : [];
    });
    let count = keptToday.get(personId) ?? before.keptToday;
    const fresh = wanted
      .filter((draft) => !twinOf(draft))
      .map(({ turn, text, contentHash, importance, saidAt, sources }): NewRow => {
        const { shelf, shelfReason } = shelfFor(decideWrite(text, count));
        count += 1;
        return {
          ...{ id: uuid7(), personId, companionId, audience, text, contentHash, importance, saidAt, sources },
          ...{ turnId: turn.turnId, conversation: turn.conversationId, speaker: turn.displayName },
          ...{ shelf, shelfReason, indexedIn: shelf === 'open' ? indexedIn : null },
        };
      });
    keptToday.set(personId, count);
    const isAnyBack = again.some(({ twin }) => twin.shelf === 'archive');
    // What was handled before is whole where its points were written with it.
    const isTriedAgain = anew.length < drafts.length && indexedIn === null;
    return { personId, companionId, audience, fresh, again, mayLackMore: isAnyBack || isTriedAgain };
  });
}

/** Gives the statements that insert what is new, and add a source to what is known. */
async function keep(tx: Writer, plan: Plan, prepared: PreparedPoints | null): Promise<Kept> {
  const { personId, companionId, fresh, again, mayLackMore } = plan;
  const open = fresh.filter(({ shelf }) => shelf === 'open');
  const [, isCommitted] = await Promise.all([
    insertRows(tx, plan),
    prepared?.write(tx, personId, open),
    ...again.map(({ twin, draft }) => sayAgain(tx, twin, draft)),
  ]);
  return {
    ...{ personId, companionId, fresh, mayLackMore },
    toIndex: prepared ? [] : open,
    holdsAny: mayLackMore || fresh.length + again.length > 0,
    isCommitted: isCommitted ?? (() => undefined),
  };
}

async function insertRows(tx: Writer, { personId, companionId, audience, fresh }: Plan): Promise<void> {
  if (fresh.length === 0) return;
  const rows = fresh.map(({ id, text, importance, sources, speaker, conversation, shelf, ...row }) => ({
    ...{ id, text, importance, sources, speaker, conversation, shelf },
    ...{ content_hash: row.contentHash, said_at: row.saidAt, turn_id: row.turnId },
    ...{ shelf_reason: row.shelfReason, indexed_in: row.indexedIn },
  }));
  await tx.$executeRaw`
    INSERT INTO memories (id, person_id, companion_id, audience, kind, writer, text, content_hash, importance, said_at,
      sources, turn_id, conversation, speaker, shelf, shelf_reason, indexed_in)
    SELECT id, ${personId}::uuid, ${companionId}, ${audience}, 'episode', 'person', text, content_hash, importance,
      said_at, sources, turn_id, conversation, speaker, shelf, shelf_reason, indexed_in
    FROM jsonb_to_recordset(${toJsonb(rows)}::jsonb) AS draft (id uuid, text text, content_hash text,
      importance float8, said_at timestamptz, sources text[], turn_id uuid, conversation text, speaker text,
      shelf text, shelf_reason text, indexed_in text)`;
}

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

function sourcesOf(drafts: readonly Draft[]): string[] {
  return drafts.flatMap(({ sources }) => sources);
}
