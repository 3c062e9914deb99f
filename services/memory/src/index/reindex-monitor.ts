import { ReindexProgress } from '@kith/contracts';
import type { Broadcasts } from '@kith/messaging';
import type { IndexGauges } from './index-gauges.js';

const PROGRESS_CHANNEL = 'memory.reindex';
/** Silence after which a run has died: it reports after each batch, which takes a second or so. */
const PROGRESS_STALE_MS = 60_000;

/** Follows the reindexing that is under way, on whichever replica. */
export class ReindexMonitor {
  private seen: { at: number; progress: ReindexProgress } | null = null;
  private unsubscribe: (() => Promise<void>) | undefined;

  constructor(
    private readonly broadcasts: Broadcasts,
    private readonly gauges: IndexGauges,
  ) {}

  /** Begins to hear what other replicas publish. Safe to repeat. @throws while Redis is out of reach */
  async listen(): Promise<void> {
    this.unsubscribe ??= await this.broadcasts.subscribe(PROGRESS_CHANNEL, (progress) =>
      this.note(ReindexProgress.parse(progress)),
    );
  }

  async stop(): Promise<void> {
    await this.unsubscribe?.();
  }

  /** Progress of the run under way; null when there is none. */
  get progress(): ReindexProgress | null {
    const { at, progress } = this.seen ?? { at: 0, progress: null };
    return progress && performance.now() - at < PROGRESS_STALE_MS && progress.done < progress.total
      ? progress
      : null;
  }

  /** Progress of a run that fills the space recall searches, which lacks memories until then; else null. */
  get lacking(): ReindexProgress | null {
    return this.progress?.isBeside ? null : this.progress;
  }

  /** Notes how far this replica's run is, and tells the others. */
  async publish(progress: ReindexProgress): Promise<void> {
    this.note(progress);
    await this.broadcasts.publish(PROGRESS_CHANNEL, progress);
  }

  private note(progress: ReindexProgress): void {
    this.seen = { at: performance.now(), progress };
    this.gauges.progressed(this.progress);
  }
}
