import { gatewayContract, memoryContract } from '@kith/contracts';
import type { Database, Tx, TurnLedger } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import { step } from '@kith/service-host';
import type { Speakers } from '../recall/speakers.js';
import type { IndexingService } from '../indexing/indexing.service.js';
import { lockPerson } from '../storage/memory-records.js';
import { planRemembering, type MemoryDraft, type ReadTurn } from './plan-remembering.js';

/** What is said daily keeps its latest sources: enough to undo, without growing for ever. */
const MAX_SOURCES = 200;

/** A person writes on for a while: what they said is read together. */
const READ_AFTER_MS = 20_000;

/** Keeps what was said in a finished turn. */
export class RememberService {
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
    const memoryIds = await this.database.asPerson(turn.personId, async (tx) => {
      if (!(await this.ledger.note(tx, turn))) return rowsHolding(tx, turn, drafts);
      if (drafts.length === 0) return [];
      await lockPerson(tx, turn.personId);
      return keepDrafts(tx, turn, await withoutForgotten(tx, turn, drafts));
    });
    if (memoryIds.length === 0) return;
    this.speakers.changed(turn.personId);
    await this.indexing.indexPending(turn.personId);
    const { personId, companionId } = turn;
    await this.messenger.enqueue(
      memoryContract.extract,
      { personId, companionId },
      { delayMs: READ_AFTER_MS },
    );
    await this.messenger.announce(memoryContract.remembered, { personId, companionId, turnId, memoryIds });
  }
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

/** Inserts what is new, adds a source to what is known. Returns the ids of every row that holds these messages. */
async function keepDrafts(tx: Tx, turn: ReadTurn, drafts: MemoryDraft[]): Promise<string[]> {
  const { turnId } = turn;
  const twins = await tx.memory.findMany({
    where: {
      ...placeOf(turn),
      kind: 'episode',
      contentHash: { in: drafts.map(({ contentHash }) => contentHash) },
    },
  });
  const ids: string[] = [];
  for (const { contentHash, sources, saidAt, importance, text } of drafts) {
    const twin = twins.find((row) => row.contentHash === contentHash);
    const { id } = twin
      ? await tx.memory.update({
          where: { id: twin.id },
          data: {
            sources: [...new Set([...twin.sources, ...sources])].slice(-MAX_SOURCES),
            saidAt: new Date(Math.max(twin.saidAt.getTime(), saidAt.getTime())),
          },
          select: { id: true },
        })
      : await tx.memory.create({
          data: {
            ...placeOf(turn),
            ...{ turnId, kind: 'episode', writer: 'person', text, contentHash, importance, saidAt, sources },
            ...{ conversation: turn.conversationId, speaker: turn.displayName },
          },
          select: { id: true },
        });
    ids.push(id);
  }
  return ids;
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
