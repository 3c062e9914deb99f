import type { InvalidRequests } from '../rest/invalid-requests.js';

/** Refusals after which reading is postponed. All requests stop only at far more, so replies still go out. */
const MAX_REFUSALS = 100;
/** Fewer requests than the client sends in a second, so that answers to commands need not wait for reads. */
const AT_ONCE = 20;

/** Limits the reads that go on at once: even if Discord refuses them all, the bound on refusals is kept. */
export class ReadSlots {
  private taken = 0;
  private readonly waiting: { isUrgent: () => boolean; go: () => void }[] = [];

  constructor(private readonly requests: Pick<InvalidRequests, 'count'>) {}

  /** True while reading is postponed because of Discord's recent refusals. */
  get areUsedUp(): boolean {
    return this.requests.count >= MAX_REFUSALS;
  }

  /**
   * Runs `work` when there is a slot for it, or `otherwise` once reading is put off.
   * @param isUrgent asked at each free slot: what is urgent goes first
   */
  async run<T>(work: () => Promise<T>, otherwise: () => T, isUrgent: () => boolean): Promise<T> {
    while (!this.areUsedUp && !this.hasFree) {
      await new Promise<void>((go) => this.waiting.push({ isUrgent, go }));
    }
    if (this.areUsedUp) {
      this.wakeNext();
      return otherwise();
    }
    this.taken += 1;
    // Refusals that are past free several slots at once.
    if (this.hasFree) this.wakeNext();
    try {
      return await work();
    } finally {
      this.taken -= 1;
      this.wakeNext();
    }
  }

  private get hasFree(): boolean {
    return this.taken < Math.min(AT_ONCE, MAX_REFUSALS - this.requests.count);
  }

  private wakeNext(): void {
    const urgent = this.waiting.findIndex(({ isUrgent }) => isUrgent());
    this.waiting.splice(Math.max(urgent, 0), 1)[0]?.go();
  }
}
