import type { Database } from '@kith/database';
import type { DegradedStates } from '@kith/service-host';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { decideSpend, type SpendLimits } from './decide-spend.js';

/** Between two looks at what all replicas spent, this one counts its own. */
const LOOK_EVERY_MS = 30_000;

/** What models cost today, kept at hand so that a turn need not ask for it. */
export class Spend {
  #day = '';
  #all = 0;
  readonly #people = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly limits: SpendLimits,
    private readonly states: DegradedStates,
    private readonly logger: Logger,
    metrics: Registry,
  ) {
    new Gauge({
      name: 'kith_spend_tokens',
      help: 'tokens that models cost since midnight UTC',
      registers: [metrics],
      collect: this.#collect(),
    });
  }

  async start(): Promise<void> {
    await this.#look();
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** May a model be asked for this person? Tells the operator when the suite's day is spent. */
  decide(personId: string): ReturnType<typeof decideSpend> {
    this.#turnDay();
    const decision = decideSpend({ all: this.#all, person: this.#people.get(personId) ?? 0 }, this.limits);
    if (decision === 'budget') {
      const isNew = this.states.enter({
        part: 'spend',
        effect: 'the day’s tokens are spent: replies are short apologies until midnight UTC',
        probe: async () => {
          if (this.#isSpent) throw new Error('still spent');
        },
      });
      if (isNew)
        this.logger.error({ tokens: this.#all, limit: this.limits.perDay }, 'the day’s tokens are spent');
    } else this.states.leave('spend');
    return decision;
  }

  get #isSpent(): boolean {
    this.#turnDay();
    return decideSpend({ all: this.#all, person: 0 }, this.limits) === 'budget';
  }

  /** Counts what a turn cost. */
  add(personId: string, tokens: number): void {
    this.#turnDay();
    this.#count(personId, tokens);
  }

  /** What was spent on somebody who was erased counts for the suite alone. */
  #count(personId: string | null, tokens: number): void {
    this.#all += tokens;
    if (personId !== null) this.#people.set(personId, (this.#people.get(personId) ?? 0) + tokens);
  }

  #turnDay(): void {
    const today = new Date().toISOString().slice(0, 10);
    if (today === this.#day) return;
    this.#day = today;
    this.#all = 0;
    this.#people.clear();
  }

  async #look(): Promise<void> {
    const since = new Date(`${new Date().toISOString().slice(0, 10)}T00:00:00Z`);
    try {
      const rows = await this.database.asSystem((tx) =>
        tx.usage.groupBy({
          by: ['personId'],
          where: { at: { gte: since } },
          _sum: { promptTokens: true, completionTokens: true },
        }),
      );
      this.#turnDay();
      this.#people.clear();
      this.#all = 0;
      for (const { personId, _sum } of rows) {
        this.#count(personId, (_sum.promptTokens ?? 0) + (_sum.completionTokens ?? 0));
      }
    } catch (error) {
      this.logger.warn({ err: error }, 'what was spent today is not known anew');
    }
  }

  #collect(): (this: Gauge) => void {
    const total = () => this.#all;
    return function collect() {
      this.set(total());
    };
  }
}
