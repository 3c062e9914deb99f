import { memoryContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Pair } from '../rows/memory-scope.js';

/** Last part of the wait, in which an ordered reading does not count: by another clock it may begin early. */
const LAST_SHARE = 0.25;
/** People whose last order is cached: beyond that, one may be ordered twice, which does no harm. */
const MAX_ORDERED = 10_000;

/** Enqueues the reading for facts, once for everything said before it begins. */
export class ReadingOrders {
  /** Times at which enqueued readings begin, by person and companion. */
  private readonly due = new Map<string, number>();

  constructor(private readonly messenger: Pick<Messenger, 'enqueue'>) {}

  /** Enqueues a reading in `waitMs` for those without one that begins sooner. */
  async order(places: readonly Pair[], waitMs: number): Promise<void> {
    const now = performance.now();
    const isOrdered = (key: string) => {
      const at = this.due.get(key) ?? Number.NEGATIVE_INFINITY;
      return at > now + waitMs * LAST_SHARE && at <= now + waitMs;
    };
    const whose = new Map(
      places
        .map(
          ({ personId, companionId }) => [`${personId} ${companionId}`, { personId, companionId }] as const,
        )
        .filter(([key]) => !isOrdered(key)),
    );
    if (whose.size === 0) return;
    await this.messenger.enqueue(memoryContract.extract, { whose: [...whose.values()] }, { delayMs: waitMs });
    if (this.due.size > MAX_ORDERED) this.due.clear();
    for (const key of whose.keys()) this.due.set(key, now + waitMs);
  }
}
