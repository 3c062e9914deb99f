import { gatewayContract, memoryContract } from '@kith/contracts';
import type { Database, Tx, TurnLedger } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import { step } from '@kith/service-host';
import type { Speakers } from '../recall/speakers.js';
import type { IndexingService } from '../indexing/indexing.service.js';
import { lockPerson, type MemoryRow } from '../storage/memory-records.js';
import { planRemembering, type MemoryDraft, type ReadTurn } from './plan-remembering.js';

/** What is said daily keeps its latest sources: enough to undo, without growing for ever. */
const MAX_SOURCES = 200;

/** A person writes on for a while: what they said is read together. */
const READ_AFTER_MS = 20_000;
const MOST_ORDERED = 10_000;

/** Keeps what was said in a finished turn. */
export class RememberService {
  /** When reading was last ordered, for whom. */
  readonly #ordered = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
    private readonly indexing: IndexingService,
    private readonly ledger: TurnLedger,
    private readonly speakers: Speakers,
  ) {}

  /**
   * Stores the rows and notes the turn as handled, then has them indexed: with embedding or the index down the
   * rows are there already (recall finds them by their words) and this throws `unavailable`, to be tried again.
   * The same turn again stores nothing.
   */
  async remember(turnId: string): Promise<void> {
    step('memory-extracting');
    const turn = await this.messenger.ask(gatewayContract.readTurn, { turnId });
    const drafts = planRemembering(turn);
    const { personId, companionId } = turn;
    const kept = await this.database.asPerson(personId, async (tx): Promise<Kept> => {
      if (!(await this.ledger.note(tx, turn)))
        return { ids: await rowsHolding(tx, turn, drafts), fresh: null };
      if (drafts.length === 0) return { ids: [], fresh: [] };
      await lockPerson(tx, personId);
      return keepDrafts(tx, turn, await withoutForgotten(tx, turn, drafts));
    });
    if (kept.ids.length === 0) return;
    this.speakers.heard(personId, turn.displayName);
    // A job that comes again does not know how far the last one came.
    if (kept.fresh) await this.indexing.indexRows(personId, kept.fresh);
    else await this.indexing.indexPending(personId);
    await this.#orderReading(personId, companionId);
    await this.messenger.announce(memoryContract.remembered, {
      personId,
      companionId,
      turnId,
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

/** The rows that hold what was said, and those of them that are new; null: it was kept before. */
interface Kept {
  ids: string[];
  fresh: MemoryRow[] | null;
}

/** Drops what the person had forgotten before this job got to store it. */
async function withoutForgotten(tx: Tx, turn: ReadTurn, drafts: MemoryDraft[]): Promise<MemoryDraft[]> {
  const records = await tx.forgetRecord.findMany({
    where: {
      personId: turn.personId,
      AND: [
        { OR: [{ companionId: null }, { companionId: turn.companionId }] },
        { OR: [{ everything: true }, { sources: { hasSome: sourcesOf(drafts) } }] },
      ],
    },
  });
  const startedAt = turn.startedAt === undefined ? Infinity : Date.parse(turn.startedAt);
  if (records.some(({ everything, at }) => everything && at.getTime() >= startedAt)) return [];
  const forgotten = new Set(records.flatMap(({ sources }) => sources));
  return drafts.filter(({ sources }) => !sources.some((source) => forgotten.has(source)));
}

/** Inserts what is new, adds a source to what is known. */
async function keepDrafts(tx: Tx, turn: ReadTurn, drafts: MemoryDraft[]): Promise<Kept> {
  const { turnId } = turn;
  const twins = await tx.memory.findMany({
    where: {
      ...placeOf(turn),
      kind: 'episode',
      contentHash: { in: drafts.map(({ contentHash }) => contentHash) },
    },
  });
  const ids: string[] = [];
  const fresh: MemoryRow[] = [];
  for (const { contentHash, sources, saidAt, importance, text } of drafts) {
    const twin = twins.find((row) => row.contentHash === contentHash);
    if (twin) {
      ids.push(twin.id);
      await tx.memory.update({
        where: { id: twin.id },
        data: {
          sources: [...new Set([...twin.sources, ...sources])].slice(-MAX_SOURCES),
          saidAt: new Date(Math.max(twin.saidAt.getTime(), saidAt.getTime())),
          // Who says "I live in Paris" again may have been elsewhere meanwhile.
          readAt: null,
        },
        select: { id: true },
      });
      continue;
    }
    const row = await tx.memory.create({
      data: {
        ...placeOf(turn),
        ...{ turnId, kind: 'episode', writer: 'person', text, contentHash, importance, saidAt, sources },
        ...{ conversation: turn.conversationId, speaker: turn.displayName },
      },
    });
    ids.push(row.id);
    fresh.push(row);
  }
  return { ids, fresh };
}

/** The rows that these messages went into the first time, as far as they are still there. */
async function rowsHolding(tx: Tx, turn: ReadTurn, drafts: MemoryDraft[]): Promise<string[]> {
  const rows = await tx.memory.findMany({
    where: { ...placeOf(turn), kind: 'episode', sources: { hasSome: sourcesOf(drafts) } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
}

function placeOf({ personId, companionId, audience }: ReadTurn) {
  return { personId, companionId, audience };
}

function sourcesOf(drafts: MemoryDraft[]): string[] {
  return drafts.flatMap(({ sources }) => sources);
}
