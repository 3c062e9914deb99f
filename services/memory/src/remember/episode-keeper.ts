import {
  DAY_MS,
  gatewayContract,
  inParts,
  jobsContract,
  MAX_TURNS_IN_JOB,
  memoryContract,
} from '@kith/contracts';
import type { Database, TurnLedger } from '@kith/database';
import { allOrOneByOne, oneByOne, type Messenger } from '@kith/messaging';
import { step } from '@kith/service-host';
import type { IndexWriter } from '../index/index-writer.js';
import type { SpeakerNames } from '../rows/speaker-names.js';
import type { DailyCount } from './daily-count.js';
import { readKnown, saveEpisodes, type SavedEpisodes } from './episode-rows.js';
import type { ReadingOrders } from './reading-orders.js';
import { placesOf, planEpisodes, type EpisodePlace } from './plan-episodes.js';

/** Age from which on a line is late, as its day may be over and summed up: others are stored within a minute. */
const LATE_MS = 60_000;
/** Age up to which a late line has its day summed up again: older ones are of turns that are read anew. */
const MAX_LATE_MS = 7 * DAY_MS;
/** Span of lines that have one order: every zone's days begin at a quarter of an hour. */
const QUARTER_MS = 900_000;

/** Stores what was said in finished turns. */
export class EpisodeKeeper {
  constructor(
    private readonly parts: {
      database: Database;
      messenger: Messenger;
      writer: IndexWriter;
      ledger: TurnLedger;
      speakers: SpeakerNames;
      counts: DailyCount;
      reading: ReadingOrders;
      /** Pause before what a person said is read for facts: they go on writing, and it is read together. */
      readAfterMs: number;
    },
  ) {}

  /**
   * Stores the rows and notes the turns as handled, all turns in one transaction, with their points where the index is
   * in Postgres, too. Another index is written after it: with embedding or the index down this throws `unavailable`, to
   * be tried again, and recall finds the rows by their words meanwhile. A repeated turn stores nothing.
   */
  async remember(turnIds: string[]): Promise<void> {
    step('memory-extracting');
    const { turns } = await this.parts.messenger.ask(gatewayContract.readTurns, { turnIds });
    await allOrOneByOne(placesOf(turns), (places) => this.rememberPlaces(places));
  }

  /** Remembers turns again after an order to forget removed more of them than it names. */
  async reread(personId: string, turnIds: string[]): Promise<void> {
    const { database, ledger, messenger } = this.parts;
    await ledger.reopen(database.writer({ personId }), turnIds);
    for (const some of inParts(turnIds, MAX_TURNS_IN_JOB))
      await messenger.enqueue(memoryContract.remember, { turnIds: some });
  }

  private async rememberPlaces(places: readonly EpisodePlace[]): Promise<void> {
    const { writer, ledger, counts } = this.parts;
    const prepared = await writer.prepare(places.flatMap(({ drafts }) => drafts.map(({ text }) => text)));
    const saved = await ledger.handle(
      places.map(({ personId }) => personId),
      async (people, tx) => {
        const known = await Promise.all(
          places.map((place) =>
            people.of(place.personId, (its) => readKnown(its, place, { ledger, counts })),
          ),
        );
        const plans = planEpisodes(places, known, prepared?.spaceId ?? null);
        return tx.last(() =>
          Promise.all(
            plans.map((plan) => people.of(plan.personId, (its) => saveEpisodes(its, plan, prepared))),
          ),
        );
      },
      // Points in another store could outlive rows that a crash loses.
      { waitsForDisk: prepared === null },
    );
    if (prepared) step('embedding-written');
    await this.followUp(places, saved);
  }

  /** Counts what was stored, orders its reading for facts, and indexes what has no point yet. */
  private async followUp(places: readonly EpisodePlace[], saved: readonly SavedEpisodes[]): Promise<void> {
    const { writer, speakers, counts, reading, readAfterMs } = this.parts;
    for (const { personId, fresh, isCommitted } of saved) {
      isCommitted();
      counts.add(personId, fresh.length);
    }
    for (const { personId, turns } of places)
      for (const { displayName } of turns) speakers.add(personId, displayName);
    // Before indexing, which may fail: reading for facts does not need it.
    const toRead = saved.filter(({ holdsAny }) => holdsAny);
    await reading.order(toRead, readAfterMs);
    await this.orderLateDays(places);
    await oneByOne(saved, ({ personId, toIndex, mayLackMore }) =>
      // A repeated job does not know which rows the first attempt indexed.
      mayLackMore ? writer.indexPending(personId) : writer.indexRows(personId, toIndex),
    );
  }

  /** Orders new summaries of the days that late lines were said on: their nights may be over. */
  private async orderLateDays(places: readonly EpisodePlace[]): Promise<void> {
    const now = Date.now();
    for (const { personId, companionId, drafts } of places) {
      const late = drafts
        .map(({ saidAt }) => saidAt.getTime())
        .filter((at) => at < now - LATE_MS && at > now - MAX_LATE_MS)
        .map((at) => at - (at % QUARTER_MS));
      for (const quarter of new Set(late)) {
        const at = new Date(quarter).toISOString();
        await this.parts.messenger.enqueue(jobsContract.consolidateAgain, { personId, companionId, at });
      }
    }
  }
}
