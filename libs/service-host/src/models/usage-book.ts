import { randomUUID } from 'node:crypto';
import { DAY_MS, gatewayContract, MAX_USAGE_REPORTED, type ModelUsage } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';

/** Call of a model that has ended. */
export interface CountedCall {
  role: string;
  model: string;
  account: { personId?: string; companionId?: string; conversationId?: string; turnId?: string };
  usage: { promptTokens: number; completionTokens: number };
  usageIsEstimated: boolean;
  cost: number | null;
}

/** Time for which calls are gathered into rows. A process that dies loses as much of its count. */
const GATHER_MS = 1_000;
/** Pause before rows that could not be written are tried again. */
const AGAIN_MS = 10_000;
/** Most rows that wait while the store is away: hours of a busy service. Beyond it the oldest are dropped. */
const MAX_WAITING = 5_000;

/** Longest time for which the gateway's word that tokens are spent holds: a limit that is raised counts soon. */
const SPENT_FOR_MS = 600_000;

/** Counts what models cost in this process, each call once, until the counts are written. */
export class UsageBook {
  private write: ((rows: ModelUsage[]) => Promise<void>) | null = null;
  private logger: Pick<Logger, 'warn'> | null = null;
  /** Way to the gateway, where this is another service's book. */
  private messenger: Messenger | null = null;
  private readonly open = new Map<string, ModelUsage>();
  /** Rows that nothing is added to any more: a row that may have been written must not grow. */
  private readonly closed: ModelUsage[] = [];
  /** Times until which a person's tokens count as spent; those of `null` are everybody's. */
  private readonly spent = new Map<string | null, number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | null = null;

  /**
   * Begins to write what is counted.
   * @param write must count a row once: it may get the same one, by its id, again
   */
  start(write: (rows: ModelUsage[]) => Promise<void>, logger: Pick<Logger, 'warn'>): void {
    this.write = write;
    this.logger = logger;
  }

  /** Begins to report what is counted to the gateway, which keeps the usage of the suite. */
  reportTo(messenger: Messenger, logger: Pick<Logger, 'warn'>): void {
    this.messenger = messenger;
    this.start(async (usage) => {
      const { spent } = await messenger.ask(gatewayContract.noteUsage, { usage }, { ifThere: true });
      const now = performance.now();
      for (const [whose, until] of this.spent) if (until < now) this.spent.delete(whose);
      // The gateway counts by days of UTC.
      const ofTodayMs = DAY_MS - (Date.now() % DAY_MS);
      for (const whose of spent) this.spent.set(whose, now + Math.min(SPENT_FOR_MS, ofTodayMs));
    }, logger);
  }

  /** Tells whether the day's tokens of a person, or of everybody, are spent, as far as the gateway has said so. */
  isSpent({ personId }: { personId?: string | undefined }): boolean {
    const now = performance.now();
    return [null, personId ?? null].some((whose) => (this.spent.get(whose) ?? 0) > now);
  }

  /** Counts a call, unless it used no tokens: no host took it up then. */
  note({ role, model, account, usage, usageIsEstimated, cost }: CountedCall): void {
    const { promptTokens, completionTokens } = usage;
    if (promptTokens + completionTokens === 0) return;
    const { personId = null, companionId = null, conversationId = null, turnId = null } = account;
    const key = [role, model, personId, companionId, conversationId, turnId, usageIsEstimated].join(' ');
    const row = this.open.get(key) ?? {
      id: randomUUID(),
      role: role as ModelUsage['role'],
      model: model.slice(0, 200),
      personId,
      companionId,
      conversationId,
      turnId,
      isEstimated: usageIsEstimated,
      calls: 0,
      promptTokens: 0,
      completionTokens: 0,
      cost: 0,
    };
    row.calls += 1;
    row.promptTokens += promptTokens;
    row.completionTokens += completionTokens;
    row.cost = row.cost === null || cost === null ? null : row.cost + cost;
    this.open.set(key, row);
    this.timer ??= setTimeout(() => void this.drain(), GATHER_MS).unref();
  }

  /** Takes the rows of a turn that are not written yet, to be committed with it. */
  take(turnId: string): ModelUsage[] {
    const taken = [...this.open].filter(([, row]) => row.turnId === turnId);
    for (const [key] of taken) this.open.delete(key);
    return taken.map(([, row]) => row);
  }

  /** Takes rows back that were not committed after all. */
  giveBack(rows: readonly ModelUsage[]): void {
    if (rows.length === 0) return;
    this.closed.push(...rows);
    this.timer ??= setTimeout(() => void this.drain(), GATHER_MS).unref();
  }

  /** Writes all there is. Never throws: what could not be written is tried again. */
  async drain(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.writing) await this.writing;
    this.writing = this.writeAll();
    await this.writing;
    this.writing = null;
  }

  /**
   * Reports all there is as the service ends. The gateway has mostly stopped sooner, as its turns ask the other services:
   * nothing waits for it, and what it has not heard is left in Redis for its next start.
   */
  async close(): Promise<void> {
    await this.drain();
    const { messenger } = this;
    // While Redis is away, leaving it would hold up the end.
    if (!messenger?.canOrder) return;
    const at = new Date().toISOString();
    this.write = (usage) => messenger.announce(gatewayContract.usageLeft, { usage, at });
    await this.drain();
  }

  private async writeAll(): Promise<void> {
    this.closed.push(...this.open.values());
    this.open.clear();
    while (this.write && this.closed.length > 0) {
      const rows = this.closed.slice(0, MAX_USAGE_REPORTED);
      try {
        await this.write(rows);
      } catch (error) {
        const lost = this.closed.splice(0, Math.max(0, this.closed.length - MAX_WAITING)).length;
        this.logger?.warn(
          { err: error, waiting: this.closed.length, lost },
          'usage could not be written yet',
        );
        this.timer ??= setTimeout(() => void this.drain(), AGAIN_MS).unref();
        return;
      }
      this.closed.splice(0, rows.length);
    }
  }
}
