import { firstOf, HOUR_MS, isUnavailable, memoryContract } from '@kith/contracts';
import { pruneEffects } from '../rows/effects.js';
import { sql } from '@kith/database';
import { oneByOne } from '@kith/messaging';
import { missingFrom } from '../rows/found-rows.js';
import { addUpTallies, readTallies } from '../rows/memory-tallies.js';
import { holdsPoints } from '../rows/postgres-points.js';
import { Archiver } from './archiver.js';
import { removeExpired, type RetentionDays } from './remove-expired.js';
import { CHECK_EVERY_MS, UnreadLines } from './unread-lines.js';
import { orderLostSummaries } from './order-lost-summaries.js';
import { removeUnusedSpaces } from './remove-unused-spaces.js';
import type { UpkeepParts } from './upkeep-parts.js';

/**
 * Time between two comparisons of the index with the rows while they change: the index is complete seconds after an
 * outage.
 */
const COMPARE_EVERY_MS = 15_000;
/** Time between two comparisons while they don't: a lost collection is noticed, and refilled, within a minute. */
const COMPARE_AT_REST_MS = 45_000;
/** Time after which a failed comparison is tried again: a store that restarts is back by then. */
const RETRY_MS = 5_000;
/** Reindexes that are ordered for a surplus of points at once: one may be under way already, or break off. */
const MAX_TRIES = 3;
/** Time after which a surplus that reindexes left is tried again: each reads all rows. */
const TRY_SURPLUS_MS = HOUR_MS;
const UNTRIED = { surplus: 0, at: 0, times: 0 };
/** Archiving, retention and pruning go by days: once an hour is often enough. */
const TIDY_EVERY_MS = HOUR_MS;
/** Time after which a look or a removal that failed is tried again. */
const TRY_AGAIN_MS = 60_000;
/** Age up to which a row without a point is not counted: its own job may still index it. */
const YOUNG_MS = 20_000;
/** Rows without a point that are counted at most: reindexing counts them all. */
const MAX_PENDING_COUNTED = 10_000;

/** Checks the index against the rows at start and periodically, queues repairs and lost orders, and cleans up hourly. */
export class Upkeep {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private prunedAt = Number.NEGATIVE_INFINITY;
  private tidiedAt = Number.NEGATIVE_INFINITY;
  private checkedAt = Number.NEGATIVE_INFINITY;
  /** Counts of the last comparison, and whether they equal those before it, with nothing left to do. */
  private counted = '';
  private isAtRest = false;
  /** Surplus of points over rows at the last comparison. */
  private surplus = 0;
  /** Surplus that reindexes were ordered for, when last, and how often: there may be points that they can’t delete. */
  private tried = UNTRIED;
  /** Faults of this run and of the one before: a repeated one is logged once. */
  private told = new Set<string>();
  private toldBefore: ReadonlySet<string> = new Set();

  private readonly archiver: Archiver;
  private readonly unread: UnreadLines;

  constructor(
    private readonly parts: UpkeepParts,
    private readonly retention: { archiveAfterDays: number; retentionDays?: RetentionDays | undefined },
  ) {
    this.archiver = new Archiver(parts, retention.archiveAfterDays);
    this.unread = new UnreadLines(parts);
  }

  start(): void {
    this.next(0);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.parts.monitor.stop();
  }

  /**
   * Enqueues a reindex when rows have no point in the current space, the index has fewer points than rows are marked, or
   * Postgres still holds points of the time before Qdrant. A surplus of points counts once two comparisons find the same:
   * rows that are being written or removed explain it only for a moment. A surplus that reindexes leave is tried again
   * later.
   */
  async compare(now: Date): Promise<void> {
    await this.parts.forgetting.deleteAllPendingPoints((error) => {
      this.tell(error, 'points of forgotten memories could not be deleted');
    });
    const space = await this.parts.embeddings.currentSpace();
    await this.parts.index.ensureSpace(space);
    const before = new Date(now.getTime() - YOUNG_MS);
    await addUpTallies(this.parts.database);
    const { memories, pending, indexed } = await this.parts.database.read('system', async (reader) => {
      const [tallies, missing] = await Promise.all([
        readTallies(reader),
        reader.$queryRaw<{ count: number }[]>`
          SELECT count(*)::int AS count FROM (
            SELECT FROM (${missingFrom(space.id, sql`created_at`, sql`TRUE`)}) AS missing
            WHERE created_at < ${before} LIMIT ${MAX_PENDING_COUNTED}
          ) AS counted`,
      ]);
      return {
        memories: tallies.open,
        indexed: tallies.indexedIn(space.id),
        pending: firstOf(missing).count,
      };
    });
    const points = await this.parts.index.count(space.id);
    this.parts.gauges.counted({ memories, pending, points });
    const surplus = Math.max(0, points - indexed);
    if (surplus !== this.tried.surplus) this.tried = { ...UNTRIED, surplus };
    const isTried = this.tried.times >= MAX_TRIES && now.getTime() - this.tried.at < TRY_SURPLUS_MS;
    const hasTooMany = surplus > 0 && surplus === this.surplus && !isTried;
    this.surplus = surplus;
    const counted = `${memories} ${indexed} ${points}`;
    this.isAtRest = pending === 0 && counted === this.counted;
    this.counted = counted;
    const isNextOpen = this.parts.embeddings.nextSpace !== null;
    const hasFormer = !this.parts.index.within && (await holdsPoints(this.parts.database));
    if (pending === 0 && points >= indexed && !hasTooMany && !isNextOpen && !hasFormer) return;
    if (hasTooMany) this.tried = { surplus, at: now.getTime(), times: this.tried.times + 1 };
    this.parts.logger.info({ pending, indexed, points, space: space.id }, 'reindex enqueued');
    await this.parts.messenger.enqueue(memoryContract.reindex, {});
  }

  private next(afterMs: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.run(), afterMs);
    this.timer.unref();
  }

  private async run(): Promise<void> {
    this.toldBefore = this.told;
    this.told = new Set();
    try {
      await this.parts.monitor.listen();
      // Before the comparison, which fails without the index: neither lost orders nor retention need it.
      if (performance.now() - this.checkedAt > CHECK_EVERY_MS) {
        this.checkedAt = performance.now();
        const orders = [() => this.unread.orderLost(new Date()), () => orderLostSummaries(this.parts)];
        await oneByOne(orders, (order) => order()).catch((error: unknown) => {
          this.checkedAt += TRY_AGAIN_MS - CHECK_EVERY_MS;
          this.tell(error, 'could not give lost orders again');
        });
      }
      if (performance.now() - this.prunedAt > TIDY_EVERY_MS) {
        this.prunedAt = performance.now();
        await this.prune(new Date()).catch((error: unknown) => {
          this.prunedAt += TRY_AGAIN_MS - TIDY_EVERY_MS;
          this.tell(error, 'could not remove expired memories');
        });
      }
      await this.compare(new Date());
      if (performance.now() - this.tidiedAt > TIDY_EVERY_MS) {
        await this.tidy(new Date());
        this.tidiedAt = performance.now();
      }
      this.next(this.isAtRest ? COMPARE_AT_REST_MS : COMPARE_EVERY_MS);
    } catch (error) {
      this.tell(error, 'could not compare the index with the rows');
      this.next(RETRY_MS);
    }
  }

  /** Logs a fault, at level error once for as long as it lasts. Health reports a store that is out of reach. */
  private tell(error: unknown, message: string): void {
    const fault = String(error);
    const isKnown = this.told.has(fault) || this.toldBefore.has(fault);
    const isNew = !this.stopped && !isUnavailable(error) && !isKnown;
    this.told.add(fault);
    this.parts.logger[isNew ? 'error' : 'debug']({ err: error }, message);
  }

  private async prune(now: Date): Promise<void> {
    await this.parts.ledger.prune();
    await pruneEffects(this.parts.database);
    await removeExpired(this.parts, this.retention.retentionDays ?? {}, now);
  }

  private async tidy(now: Date): Promise<void> {
    await this.archiver.archive(now);
    await removeUnusedSpaces(this.parts, now);
  }
}
