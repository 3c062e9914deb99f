import type { ServiceHealth } from '@kith/contracts';
import type { DegradedStates } from './degraded-states.js';

/** Resolves when the dependency answers, throws what is wrong otherwise. */
export type HealthCheck = () => Promise<void>;

/** A probe that hangs is a dependency that is down. */
const CHECK_TIMEOUT_MS = 1_500;
/** Probes come from several sides at once; one round of checks serves those within this time. */
const CACHE_MS = 500;

/** What this service needs, and whether it is there. */
export class HealthChecks {
  readonly #checks = new Map<string, HealthCheck>();
  #latest: { at: number; health: Promise<ServiceHealth> } | undefined;

  constructor(
    private readonly service: string,
    private readonly states?: DegradedStates,
  ) {}

  /** Adds a dependency by name; the service counts as ready only when all of them answer. */
  add(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
  }

  /** Asks every dependency, each within a bounded time. */
  read(): Promise<ServiceHealth> {
    const now = performance.now();
    if (!this.#latest || now - this.#latest.at > CACHE_MS) this.#latest = { at: now, health: this.#ask() };
    return this.#latest.health;
  }

  async #ask(): Promise<ServiceHealth> {
    const dependencies = Object.fromEntries(
      await Promise.all(
        [...this.#checks].map(async ([name, check]) => {
          const started = performance.now();
          const problem = await withinTime(check()).then(
            () => null,
            (error: unknown) => (error instanceof Error ? error.message : String(error)) || 'no answer',
          );
          const tookMs = Math.round(performance.now() - started);
          return [name, { up: problem === null, problem, tookMs }] as const;
        }),
      ),
    );
    return {
      service: this.service,
      ready: Object.values(dependencies).every(({ up }) => up),
      dependencies,
      degraded: this.states?.list() ?? [],
    };
  }
}

async function withinTime(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check, late]);
  } finally {
    clearTimeout(timer);
  }
}
