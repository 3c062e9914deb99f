import type { Database } from '@kith/database';
import type { DegradedStates } from '@kith/service-host';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { decideSpend, type SpendLimits } from './decide-spend.js';

/** Between two looks at what all replicas spent, this one counts its own. */
const LOOK_EVERY_MS = 30_000;
/** A row is seen by then: transactions are ended after 10 s, and clocks of machines differ. */
const SEEN_WITHIN_MS = 60_000;

/** What models cost today, kept at hand so that a turn need not ask for it. */
export class Spend {
  #day = '';
  #all = 0;
  readonly #people = new Map<string, number>();
  /** What was spent on a day until a moment, of which all is known. */
  #settled = { day: '', until: new Date(0), people: new Map<string | null, number>() };
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
    await this.look(new Date());
    this.#timer = setInterval(() => void this.look(new Date()), LOOK_EVERY_MS);
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
    if (personId !== null) add(this.#people, personId, tokens);
  }

  #turnDay(): void {
    const today = new Date().toISOString().slice(0, 10);
    if (today === this.#day) return;
    this.#day = today;
    this.#all = 0;
    this.#people.clear();
  }

  /**
   * Reads what came since the last look, of all replicas. What is so old that nothing can come before it any more is
   * added up for good, so that a look costs the same at the end of a busy day. Never throws: the next one is near.
   */
  async look(now: Date): Promise<void> {
    const day = now.toISOString().slice(0, 10);
    const start = new Date(`${day}T00:00:00Z`);
    const isSameDay = this.#settled.day === day;
    const from = isSameDay ? this.#settled.until : start;
    const until = new Date(Math.max(from.getTime(), now.getTime() - SEEN_WITHIN_MS));
    try {
      const rows = await this.database.read(
        'system',
        (reader) => reader.$queryRaw<{ personId: string | null; isSettled: boolean; tokens: number }[]>`
          SELECT person_id AS "personId", at < ${until} AS "isSettled",
            sum(prompt_tokens + completion_tokens)::float8 AS tokens
          FROM usage WHERE at >= ${from} GROUP BY 1, 2`,
      );
      const people = isSameDay ? this.#settled.people : new Map<string | null, number>();
      for (const { personId, tokens } of rows.filter(({ isSettled }) => isSettled))
        add(people, personId, tokens);
      this.#settled = { day, until, people };
      this.#turnDay();
      this.#people.clear();
      this.#all = 0;
      for (const [personId, tokens] of people) this.#count(personId, tokens);
      for (const { personId, isSettled, tokens } of rows) if (!isSettled) this.#count(personId, tokens);
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

function add<Key>(sums: Map<Key, number>, key: Key, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
