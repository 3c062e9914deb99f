import { Gauge, type Registry } from 'prom-client';

export interface DegradedState {
  part: string;
  /** What it means for people, in a sentence. */
  effect: string;
  /** ISO 8601. */
  since: string;
}

/** What a service does without right now, although it goes on: entered where it is noticed, left when it is over. */
export class DegradedStates {
  readonly #states = new Map<string, DegradedState>();
  readonly #gauge: Gauge<'part'>;

  constructor(
    metrics: Registry,
    private readonly now: () => Date = () => new Date(),
  ) {
    this.#gauge = new Gauge({
      name: 'kith_degraded',
      help: '1 while the service does without this part',
      labelNames: ['part'],
      registers: [metrics],
    });
  }

  /** Returns whether that is news. */
  enter(part: string, effect: string): boolean {
    if (this.#states.has(part)) return false;
    this.#states.set(part, { part, effect, since: this.now().toISOString() });
    this.#gauge.set({ part }, 1);
    return true;
  }

  leave(part: string): void {
    if (this.#states.delete(part)) this.#gauge.set({ part }, 0);
  }

  list(): DegradedState[] {
    return [...this.#states.values()];
  }
}
