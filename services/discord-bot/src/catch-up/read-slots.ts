import type { InvalidRequests } from '../rest/invalid-requests.js';

/** Refusals after which reading is postponed. All requests stop only at far more, so replies still go out. */
const MAX_REFUSALS = 100;

/** Limits the reads that go on at once: even if Discord refuses them all, the bound on refusals is kept. */
export class ReadSlots {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly requests: Pick<InvalidRequests, 'count'>) {}

  /** True while reading is postponed because of Discord's recent refusals. */
  get areUsedUp(): boolean {
    return this.requests.count >= MAX_REFUSALS;
  }

  /** Runs `work` when there is a slot for it, or `otherwise` once reading is put off. */
  async run<T>(work: () => Promise<T>, otherwise: () => T): Promise<T> {
    while (!this.areUsedUp && this.taken >= MAX_REFUSALS - this.requests.count) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    if (this.areUsedUp) {
      this.waiting.shift()?.();
      return otherwise();
    }
    this.taken += 1;
    try {
      return await work();
    } finally {
      this.taken -= 1;
      this.waiting.shift()?.();
    }
  }
}
