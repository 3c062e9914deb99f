import { gatewayContract, MAX_TURNS_IN_JOB, memoryContract, type ReadTurn } from '@kith/contracts';
import type { Database, Tx, TurnLedger } from '@kith/database';
import { oneByOne, type Messenger } from '@kith/messaging';
import { step } from '@kith/service-host';
import type { Speakers } from '../recall/speakers.js';
import type { IndexingService } from '../indexing/indexing.service.js';
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
    await this.database.asPerson(personId, (tx) => this.ledger.reopen(tx, turnIds));
    for (let from = 0; from < turnIds.length; from += MAX_TURNS_IN_JOB) {
      const some = turnIds.slice(from, from + MAX_TURNS_IN_JOB);
      await this.messenger.enqueue(memoryContract.remember, { turnIds: some });
    }
  }

  /** What one person said to one companion before one audience. */
  async #remember(turns: ReadTurn[]): Promise<void> {
    const { personId, companionId } = turns[0]!;
    const drafts = turns.flatMap((turn) => planRemembering(turn).map((draft): Draft => ({ ...draft, turn })));
    const kept = await this.database.asPerson(personId, async (tx): Promise<Kept> => {
      const noted = new Set(await this.ledger.noteAll(tx, personId, turns));
      const [anew, again] = split(drafts, ({ turn }) => noted.has(turn.turnId));
      const known = await rowsHolding(tx, again);
      if (anew.length === 0) return { ids: known, fresh: known.length > 0 ? null : [] };
      await lockPerson(tx, personId);
      const wanted = await withoutPrivate(tx, await withoutForgotten(tx, anew));
      const keptToday = await this.kept.today(personId, new Date(), (since) =>
        countSaid(tx, personId, since),
      );
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
function countSaid(tx: Tx, personId: string, since: Date): Promise<number> {
  return tx.memory.count({
    where: { personId, kind: 'episode', writer: 'person', createdAt: { gte: since } },
    take: MOST_A_DAY,
  });
}

/** Drops what the person had forgotten before this job got to store it, and words that were changed meanwhile. */
async function withoutForgotten(tx: Tx, drafts: Draft[]): Promise<Draft[]> {
  const { personId, companionId } = drafts[0]!.turn;
  const records = await tx.forgetRecord.findMany({
    where: {
      personId,
      AND: [
        { OR: [{ companionId: null }, { companionId }] },
        {
          OR: [
            { everything: true },
            { saidFrom: { not: null } },
            { sources: { hasSome: sourcesOf(drafts) } },
          ],
        },
      ],
    },
  });
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
async function withoutPrivate(tx: Tx, drafts: Draft[]): Promise<Draft[]> {
  if (drafts.length === 0) return [];
  const isPrivate = await readPrivateTimes(tx, drafts[0]!.turn.personId);
  // Said then, or answered then: what is said last before the end may begin its turn after it.
  return drafts.filter(
    ({ saidAt, turn }) => !isPrivate(saidAt) && !isPrivate(new Date(turn.startedAt ?? turn.endedAt)),
  );
}

/** Inserts what is new, adds a source to what is known. All drafts are of one place. */
async function keepDrafts(tx: Tx, drafts: Draft[], keptToday: number): Promise<Kept> {
  if (drafts.length === 0) return { ids: [], fresh: [] };
  const place = placeOf(drafts[0]!.turn);
  const unique = withoutTwins(drafts);
  const twins = await tx.memory.findMany({
    where: {
      ...place,
      kind: 'episode',
      contentHash: { in: unique.map(({ contentHash }) => contentHash) },
    },
  });
  const twinOf = ({ contentHash }: Draft) => twins.find((row) => row.contentHash === contentHash);
  const [known, unknown] = split(unique, (draft) => twinOf(draft) !== undefined);
  for (const draft of known) {
    const twin = twinOf(draft)!;
    await tx.memory.update({
      where: { id: twin.id },
      data: {
        sources: [...new Set([...twin.sources, ...draft.sources])].slice(-MAX_SOURCES),
        ...(draft.saidAt > twin.saidAt && { saidAt: draft.saidAt, turnId: draft.turn.turnId }),
        // Said again, it is of use.
        ...(twin.shelf === 'archive' && { shelf: 'open', shelfReason: null }),
        // Who says "I live in Paris" again may have been elsewhere meanwhile.
        readAt: null,
      },
      select: { id: true },
    });
  }
  const fresh = await tx.memory.createManyAndReturn({
    data: unknown.map(({ turn, revision: _, ...draft }, n) => ({
      ...place,
      ...draft,
      ...{ turnId: turn.turnId, kind: 'episode', writer: 'person' },
      ...{ conversation: turn.conversationId, speaker: turn.displayName },
      ...shelfFor(decideWrite(draft.text, keptToday + n)),
    })),
  });
  const isAnyBack = twins.some(({ shelf }) => shelf === 'archive');
  return {
    ids: [...twins, ...fresh].map(({ id }) => id),
    fresh: isAnyBack ? null : fresh.filter(({ shelf }) => shelf === 'open'),
  };
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
async function rowsHolding(tx: Tx, drafts: Draft[]): Promise<string[]> {
  if (drafts.length === 0) return [];
  const rows = await tx.memory.findMany({
    where: { ...placeOf(drafts[0]!.turn), kind: 'episode', sources: { hasSome: sourcesOf(drafts) } },
    select: { id: true },
  });
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
