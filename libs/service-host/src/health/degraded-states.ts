import type { ServiceHealth } from '@kith/contracts';
import { Gauge, type Registry } from 'prom-client';

type DegradedState = ServiceHealth['degraded'][number];

/** A part that a service can do without. */
export interface Part {
  /** `redis`, `vector-store`, `embedding`, `fast-model`, `chat-model`, `spend` … */
  part: string;
  /** Effect on people, as a sentence without its full stop. */
  effect: string;
  /** Returns or resolves when the part is there again, else throws or rejects. Asked while the state lasts. */
  probe?: () => unknown;
}

/** Soon enough that a notice on a page goes away while somebody reads it; cheap enough for an outage of days. */
const PROBE_EVERY_MS = 10_000;

/**
 * Parts that a service goes on without right now. A state is entered where the lack is noticed, and left by the next use
 * that works, or by a probe where the next use may be far off.
 */
export class DegradedStates {
  private readonly states = new Map<string, { state: DegradedState; probing: NodeJS.Timeout | undefined }>();
  private readonly gauge: Gauge<'part'>;

  constructor(
    metrics: Registry,
    private readonly options: {
      now?: () => Date;
      probeEveryMs?: number;
      /** Hears of each state that is entered (`true`) or left. */
      onChange?: (state: DegradedState, isEntered: boolean) => void;
    } = {},
  ) {
    this.gauge = new Gauge({
      name: 'kith_degraded',
      help: '1 while the service does without this part',
      labelNames: ['part'],
      registers: [metrics],
    });
  }

  /** Enters a state. Returns whether that is news: the part was there until now, or lacking it had another effect. */
  enter({ part, effect, probe }: Part): boolean {
    const held = this.states.get(part);
    if (held?.state.effect === effect) return false;
    clearInterval(held?.probing);
    const state = { part, effect, since: (this.options.now?.() ?? new Date()).toISOString() };
    this.states.set(part, { state, probing: probe && this.probe(part, probe) });
    this.gauge.set({ part }, 1);
    this.options.onChange?.(state, true);
    return true;
  }

  leave(part: string): void {
    const held = this.states.get(part);
    if (!held) return;
    clearInterval(held.probing);
    this.states.delete(part);
    this.gauge.set({ part }, 0);
    this.options.onChange?.(held.state, false);
  }

  /**
   * Runs work that needs a part: leaves its state where that works, enters it where that fails, and throws on.
   * @param isAbout tells whether an error means that the part is lacking; by default each does
   */
  async using<T>(
    part: Part,
    work: () => Promise<T>,
    isAbout: (error: unknown) => boolean = () => true,
  ): Promise<T> {
    try {
      const result = await work();
      this.leave(part.part);
      return result;
    } catch (error) {
      if (isAbout(error)) this.enter(part);
      throw error;
    }
  }

  /** Tells whether this part is lacking. */
  lacks(part: string): boolean {
    return this.states.has(part);
  }

  list(): DegradedState[] {
    return [...this.states.values()].map(({ state }) => state);
  }

  private probe(part: string, probe: () => unknown): NodeJS.Timeout {
    let isAsking = false;
    const timer = setInterval(() => {
      if (isAsking) return;
      isAsking = true;
      void Promise.resolve()
        .then(probe)
        .then(
          // A state that was entered anew meanwhile has a probe of its own.
          () => this.states.get(part)?.probing === timer && this.leave(part),
          () => undefined,
        )
        .finally(() => (isAsking = false));
    }, this.options.probeEveryMs ?? PROBE_EVERY_MS);
    timer.unref();
    return timer;
  }
}
