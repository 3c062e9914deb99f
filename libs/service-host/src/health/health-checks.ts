import { withinTime } from '@kith/contracts';
import type { ServiceHealth } from '@kith/contracts';
import type { DegradedStates, Part } from './degraded-states.js';

/** Returns, at once or later, when the dependency answers; throws or rejects with what is wrong otherwise. */
export type HealthCheck = () => unknown;

/** A probe that hangs is a dependency that is down. */
const CHECK_TIMEOUT_MS = 1_500;
/** Time that one round of checks serves: probes come from several sides at once. */
const CACHE_MS = 500;
/** Time of one round while a service is not ready: whoever waits for it should hear of it soon. */
const UNREADY_CACHE_MS = 50;

/** Pause between checks when nobody asks. They are for the log: whoever reads states or metrics has them made first. */
const CHECK_EVERY_MS = 30_000;
/** Pause while something is lacking, so that its return is noticed soon. */
const CHECK_AGAIN_MS = 10_000;

const noAnswer = () => new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`);

interface Dependency {
  check: HealthCheck;
  /** State of the service without it; null where it can't go on. */
  without: Part | null;
}

/** Checks of the stores and parts this service needs. */
export class HealthChecks {
  private readonly dependencies = new Map<string, Dependency>();
  private isWatching = false;
  private timer: NodeJS.Timeout | undefined;
  private latest: { until: number; health: Promise<ServiceHealth> } | undefined;

  constructor(
    private readonly service: string,
    private readonly states?: DegradedStates,
  ) {}

  /**
   * Adds a dependency by name. The service is ready when all of them answer, apart from those it can do without:
   * `without` says what it does instead.
   */
  add(name: string, check: HealthCheck, without: Part | null = null): void {
    this.dependencies.set(name, { check, without });
  }

  /** Counts what is down as a degraded state from now on. Until then the service is only starting. */
  watch(): void {
    this.isWatching = true;
    this.checkLater();
  }

  /** Stops counting what is down: the service ends. */
  unwatch(): void {
    this.isWatching = false;
    clearTimeout(this.timer);
  }

  /** Checks at once, since a connection broke. */
  noticeTrouble(): void {
    if (this.isWatching) void this.read();
  }

  private checkLater(): void {
    clearTimeout(this.timer);
    const isLacking = (this.states?.list().length ?? 0) > 0;
    this.timer = setTimeout(() => void this.read(), isLacking ? CHECK_AGAIN_MS : CHECK_EVERY_MS).unref();
  }

  /** Asks every dependency, each within a bounded time. */
  read(): Promise<ServiceHealth> {
    const now = performance.now();
    if (!this.latest || now > this.latest.until) this.latest = this.begin(now);
    return this.latest.health;
  }

  private begin(now: number): { until: number; health: Promise<ServiceHealth> } {
    const health = this.ask();
    const latest = { until: now + CACHE_MS, health };
    void health.then(({ ready }) => {
      if (!ready) latest.until = Math.min(latest.until, performance.now() + UNREADY_CACHE_MS);
    });
    return latest;
  }

  private async ask(): Promise<ServiceHealth> {
    const dependencies = Object.fromEntries(
      await Promise.all(
        [...this.dependencies].map(async ([name, { check }]) => {
          const started = performance.now();
          const problem = await withinTime(Promise.resolve().then(check), CHECK_TIMEOUT_MS, noAnswer).then(
            () => null,
            (error: unknown) => (error instanceof Error ? error.message : String(error)) || 'no answer',
          );
          const tookMs = Math.round(performance.now() - started);
          return [name, { up: problem === null, problem, tookMs }] as const;
        }),
      ),
    );
    if (this.isWatching) {
      this.note(dependencies);
      this.checkLater();
    }
    return {
      service: this.service,
      ready: [...this.dependencies].every(([name, { without }]) => without || dependencies[name]?.up),
      dependencies,
      degraded: this.states?.list() ?? [],
    };
  }

  private note(found: ServiceHealth['dependencies']): void {
    for (const [name, { without }] of this.dependencies) {
      const part = without ?? { part: name, effect: `${this.service} waits for ${name}` };
      if (found[name]?.up === false) this.states?.enter(part);
      else this.states?.leave(part.part);
    }
  }
}
