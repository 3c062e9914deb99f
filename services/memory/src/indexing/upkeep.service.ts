import { memoryContract, ReindexProgress } from '@kith/contracts';
import { sql, type Database, type TurnLedger } from '@kith/database';
import type { Broadcasts, Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { ArchiveService } from '../keeping/archive.service.js';
import type { ForgetService } from '../forgetting/forget.service.js';
import { missingFrom } from '../storage/memory-records.js';
import { addUpTallies, countAnew, readTallies } from '../storage/memory-tallies.js';
import type { VectorIndex } from '../storage/vector-index.js';
import type { Embeddings } from './embeddings.js';
import type { IndexGauges } from './index-gauges.js';
import type { IndexingService } from './indexing.service.js';
import type { RetireSpaces } from './retire-spaces.service.js';

const PROGRESS_CHANNEL = 'memory.reindex';
/** A run that has not been heard of for so long has died. */
const PROGRESS_STALE_MS = 60_000;
/** How often the index is counted against the rows while they change. */
const LOOK_EVERY_MS = 15_000;
/** And while they don't: a lost collection is noticed, and refilled, within a minute. */
const LOOK_AT_REST_MS = 45_000;
const PRUNE_EVERY_MS = 60 * 60_000;
const LOOK_AGAIN_MS = 5_000;
/** Younger rows are still in the hands of the job that stored them. */
const SETTLED_MS = 20_000;
/** Rows without a point that are counted: more of them are as good as many, and the reindex knows how many. */
const PENDING_COUNTED = 10_000;

/** Sees at start, and now and then, that what an outage or another space left undone gets done. */
export class UpkeepService {
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;
  #progress: { at: number; progress: ReindexProgress } | null = null;
  #unsubscribe: (() => Promise<void>) | undefined;
  #prunedAt = Number.NEGATIVE_INFINITY;
  /** What the last look counted, and whether the one before it counted the same, with nothing left to do. */
  #counted = '';
  #isAtRest = false;
  /** Points beyond the rows at the last look. */
  #surplus = 0;

  constructor(
    private readonly database: Database,
    private readonly index: VectorIndex,
    private readonly embeddings: Embeddings,
    private readonly indexing: IndexingService,
    private readonly forgetting: ForgetService,
    private readonly archive: ArchiveService,
    private readonly spaces: RetireSpaces,
    private readonly ledger: TurnLedger,
    private readonly messenger: Messenger,
    private readonly broadcasts: Broadcasts,
    private readonly gauges: IndexGauges,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#next(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#unsubscribe?.();
  }

  /** The run of reindex that is under way, on whichever replica; null when there is none. */
  get progress(): ReindexProgress | null {
    const { at, progress } = this.#progress ?? { at: 0, progress: null };
    return progress && performance.now() - at < PROGRESS_STALE_MS && progress.done < progress.total
      ? progress
      : null;
  }

  /** The same, where recall lacks what is not written yet. */
  get lacking(): ReindexProgress | null {
    return this.progress?.isBeside ? null : this.progress;
  }

  /** The job: finishes open removals, then makes the index equal to the rows. */
  async reindex(): Promise<void> {
    await this.forgetting.settleAll();
    await this.indexing.reindex(async (progress) => {
      this.#hear(progress);
      await this.broadcasts.publish(PROGRESS_CHANNEL, progress);
    });
    // It has looked at everything: tallies that went astray would have it ordered for ever.
    await countAnew(this.database);
  }

  /**
   * Orders a reindex when rows are not in the current space, or the index holds less than they say; more, too, when
   * that is no passing matter of rows that are being written or removed.
   */
  async look(now: Date): Promise<void> {
    await this.forgetting.settleAll();
    const space = await this.embeddings.currentSpace();
    await this.index.ensureSpace(space);
    const before = new Date(now.getTime() - SETTLED_MS);
    await addUpTallies(this.database);
    const { memories, pending, indexed } = await this.database.read('system', async (reader) => {
      const [tallies, [missing]] = await Promise.all([
        readTallies(reader),
        reader.$queryRaw<{ count: number }[]>`
          SELECT count(*)::int AS count FROM (
            SELECT FROM (${missingFrom(space.id, sql`created_at`, sql`TRUE`)}) AS missing
            WHERE created_at < ${before} LIMIT ${PENDING_COUNTED}
          ) AS counted`,
      ]);
      return { memories: tallies.open, indexed: tallies.indexedIn(space.id), pending: missing!.count };
    });
    const points = await this.index.count(space.id);
    this.gauges.counted({ memories, pending, points });
    const hasTooMany = points > indexed && this.#surplus === points - indexed;
    this.#surplus = Math.max(0, points - indexed);
    const counted = `${memories} ${indexed} ${points}`;
    this.#isAtRest = pending === 0 && counted === this.#counted;
    this.#counted = counted;
    const isNextOpen = this.embeddings.nextSpace !== null;
    if (pending === 0 && points >= indexed && !hasTooMany && !isNextOpen) return;
    this.logger.info({ pending, indexed, points, space: space.id }, 'ordering a reindex');
    await this.messenger.enqueue(memoryContract.reindex, {});
  }

  #next(afterMs: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => void this.#run(), afterMs);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    try {
      this.#unsubscribe ??= await this.broadcasts.subscribe(PROGRESS_CHANNEL, (progress) =>
        this.#hear(ReindexProgress.parse(progress)),
      );
      await this.look(new Date());
      if (performance.now() - this.#prunedAt > PRUNE_EVERY_MS) {
        await this.ledger.prune();
        await this.archive.tidy(new Date());
        await this.spaces.tidy(new Date());
        this.#prunedAt = performance.now();
      }
      this.#next(this.#isAtRest ? LOOK_AT_REST_MS : LOOK_EVERY_MS);
    } catch (error) {
      // A store or embedding is not there yet: health says so, and we look again.
      this.logger.debug({ err: error }, 'cannot compare the index with the rows yet');
      this.#next(LOOK_AGAIN_MS);
    }
  }

  #hear(progress: ReindexProgress): void {
    this.#progress = { at: performance.now(), progress };
    this.gauges.progressed(this.progress);
  }
}
