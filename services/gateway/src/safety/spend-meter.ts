import type { Database } from '@kith/database';
import type { DegradedStates } from '@kith/service-host';
import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';

/** Time between two reads of what all replicas spent. In between, this one counts its own. */
const REFRESH_EVERY_MS = 30_000;
/** Time after which every row can be seen: transactions end within 10 s, and the machines' clocks differ. */
const SEEN_WITHIN_MS = 60_000;

/** Tokens that may be spent in a day; 0 is no limit. */
interface SpendLimits {
  perDay: number;
  perPersonAndDay: number;
}

/** Counts the tokens that language models cost today, so that a turn need not ask Postgres for it. */
export class SpendMeter {
  private day = '';
  private all = 0;
  private readonly people = new Map<string, number>();
  /** The day's sums up to a time before which no row can be added any more. */
  private closed = { day: '', until: new Date(0), people: new Map<string | null, number>() };
  /** Tokens counted here since the present refresh began: its answer may lack them. */
  private meanwhile: [personId: string | null, tokens: number][] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly limits: SpendLimits,
    private readonly states: DegradedStates,
    private readonly logger: Logger,
    metrics: Registry,
  ) {
    const total = () => this.all;
    new Gauge({
      name: 'kith_spend_tokens',
      help: 'tokens that language models cost since midnight UTC',
      registers: [metrics],
      collect() {
        this.set(total());
      },
    });
  }

  async start(): Promise<void> {
    await this.refresh(new Date());
    this.timer = setInterval(() => void this.refresh(new Date()), REFRESH_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Decides whether a model may be asked for this person. Tells the operator when the suite's day is spent. */
  decide(personId: string): ReturnType<typeof decideSpend> {
    this.turnDay();
    const decision = decideSpend({ all: this.all, person: this.people.get(personId) ?? 0 }, this.limits);
    if (decision === 'budget') {
      const isNew = this.states.enter({
        part: 'spend',
        effect: 'the day’s tokens are spent: replies are short apologies until midnight UTC',
        probe: () => {
          if (this.isSpent) throw new Error('still spent');
        },
      });
      if (isNew)
        this.logger.error({ tokens: this.all, limit: this.limits.perDay }, 'the day’s tokens are spent');
    } else this.states.leave('spend');
    return decision;
  }

  /** Lists those of some people whose tokens of the day are spent; `null` stands for everybody. */
  spentAmong(people: readonly string[]): (string | null)[] {
    if (this.isSpent) return [null];
    return people.filter((personId) => this.decide(personId) !== 'proceed');
  }

  private get isSpent(): boolean {
    this.turnDay();
    return decideSpend({ all: this.all, person: 0 }, this.limits) === 'budget';
  }

  /** Counts what a call cost. */
  add(personId: string | null, tokens: number): void {
    this.turnDay();
    this.count(personId, tokens);
    this.meanwhile.push([personId, tokens]);
  }

  /** Adds tokens to the sums. Those of nobody, or of somebody who was erased, count for the suite alone. */
  private count(personId: string | null, tokens: number): void {
    this.all += tokens;
    if (personId !== null) add(this.people, personId, tokens);
  }

  private turnDay(): void {
    const today = new Date().toISOString().slice(0, 10);
    if (today === this.day) return;
    this.day = today;
    this.all = 0;
    this.people.clear();
    this.meanwhile = [];
  }

  /**
   * Reads what all replicas spent since the last look. Rows so old that none can be added before them are summed up for
   * good, so that a look costs the same at the end of a busy day. Never throws: the next look is near.
   */
  async refresh(now: Date): Promise<void> {
    this.meanwhile = [];
    const day = now.toISOString().slice(0, 10);
    const start = new Date(`${day}T00:00:00Z`);
    // Where the clock was set back, rows may still be added to what was summed up, so the day is read again.
    const goesOn = this.closed.day === day && this.closed.until <= now;
    const from = goesOn ? this.closed.until : start;
    const until = new Date(Math.max(from.getTime(), now.getTime() - SEEN_WITHIN_MS));
    try {
      const rows = await this.database.reader('system').$queryRaw<
        { personId: string | null; isClosed: boolean; tokens: number }[]
      >`
        SELECT person_id AS "personId", at < ${until} AS "isClosed",
          sum(prompt_tokens + completion_tokens)::float8 AS tokens
        FROM usage WHERE at >= ${from} AND role <> 'embedding' GROUP BY 1, 2`;
      this.turnDay();
      // Midnight came before the answer, whose sums are of the day before.
      if (this.day !== day) return;
      const people = goesOn ? this.closed.people : new Map<string | null, number>();
      for (const { personId, tokens } of rows.filter(({ isClosed }) => isClosed))
        add(people, personId, tokens);
      this.closed = { day, until, people };
      this.people.clear();
      this.all = 0;
      for (const [personId, tokens] of people) this.count(personId, tokens);
      for (const { personId, isClosed, tokens } of rows) if (!isClosed) this.count(personId, tokens);
      for (const [personId, tokens] of this.meanwhile) this.count(personId, tokens);
    } catch (error) {
      this.logger.warn(
        { err: error },
        'what was spent today could not be read; the last known sum counts on',
      );
    }
  }
}

function add<Key>(sums: Map<Key, number>, key: Key, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

/**
 * Decides whether a model may be asked for a person, given the tokens that models cost since midnight UTC. `budget`: the
 * suite's day is spent; `person-budget`: theirs is.
 */
export function decideSpend(
  spent: { all: number; person: number },
  limits: SpendLimits,
): 'proceed' | 'budget' | 'person-budget' {
  if (limits.perDay > 0 && spent.all >= limits.perDay) return 'budget';
  if (limits.perPersonAndDay > 0 && spent.person >= limits.perPersonAndDay) return 'person-budget';
  return 'proceed';
}
