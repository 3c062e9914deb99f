import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@kith/database';
import type { Logger } from 'pino';
import type { DiscordSession } from './resume-point.js';

/** The bot connects as one shard: Discord demands more only above 2,500 servers. */
const SHARD = 0;
/** Lease of the shard: a process that was killed is replaced within this time. */
const LEASE_MS = 5_000;
/** Two renewals may fail before the lease ends, so that one slow statement costs no connection. */
const RENEW_EVERY_MS = 1_500;
/** Discord allows 1,000 sessions a day and resets the token beyond them: we stop well before. */
export const MAX_IDENTIFIES_A_DAY = 900;

export interface LeadershipListener {
  /** This process holds the shard: it may connect. Called once per gain. */
  onGained(): void;
  /** Another process holds it: hang up at once. */
  onLost(): void;
}

/**
 * Elects one of several bot processes to connect. The holder renews a lease in Postgres, and the others wait for it to
 * run out. While Postgres is away nobody can take over, so the holder stays. Its session is kept beside the lease.
 */
export class Leadership {
  private readonly holder = `${hostname()} ${process.pid} ${randomUUID().slice(0, 8)}`;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private holds = false;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  start(listener: LeadershipListener): void {
    this.running = this.run(listener);
  }

  /** Leaves the shard to whoever waits for it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    if (!this.holds) return;
    this.holds = false;
    const left = this.database.writer('system').$executeRaw`
      UPDATE discord_leaders SET held_until = now() WHERE shard = ${SHARD} AND holder = ${this.holder}`;
    await left.catch(() => undefined); // the lease runs out by itself
  }

  /** Counts a session begun with IDENTIFY. Returns how many there were today, by Postgres's clock. */
  async countIdentify(): Promise<number> {
    const [row] = await this.database.writer('system').$queryRaw<{ identifies: number }[]>`
      UPDATE discord_leaders
      SET identifies = CASE WHEN day = (now() AT TIME ZONE 'UTC')::date THEN identifies + 1 ELSE 1 END,
        day = (now() AT TIME ZONE 'UTC')::date
      WHERE shard = ${SHARD} RETURNING identifies`;
    return row?.identifies ?? 1;
  }

  /** Reads the session that this process or one before left; null when there is none. */
  async readSession(): Promise<DiscordSession | null> {
    const [session] = await this.database.reader('system').$queryRaw<DiscordSession[]>`
      SELECT session_id AS id, resume_url AS "resumeUrl", bot_id AS "botId", sequence FROM discord_leaders
      WHERE shard = ${SHARD} AND session_id <> '' AND resume_url <> '' AND bot_id <> '' AND sequence IS NOT NULL`;
    return session ?? null;
  }

  /** Keeps the session for the next process; does nothing once another process holds the shard. */
  async saveSession({ id, resumeUrl, botId, sequence }: DiscordSession): Promise<void> {
    await this.database.writer('system').$executeRaw`
      UPDATE discord_leaders
      SET session_id = ${id}, resume_url = ${resumeUrl}, bot_id = ${botId}, sequence = ${sequence}
      WHERE shard = ${SHARD} AND holder = ${this.holder}`;
  }

  private async run(listener: LeadershipListener): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const holds = await this.take().catch(() => this.holds);
      if (holds && !this.holds) {
        this.holds = true;
        listener.onGained();
      } else if (!holds && this.holds) {
        this.holds = false;
        this.logger.warn({ shard: SHARD }, 'another process holds the shard now');
        listener.onLost();
      }
      await wait(RENEW_EVERY_MS, null, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Takes or renews the lease; false when another process has it. */
  private async take(): Promise<boolean> {
    const rows = await this.database.writer('system').$executeRaw`
      INSERT INTO discord_leaders (shard, holder, held_until)
      VALUES (${SHARD}, ${this.holder}, now() + ${LEASE_MS} * interval '1 millisecond')
      ON CONFLICT (shard) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
      WHERE discord_leaders.holder = excluded.holder OR discord_leaders.held_until < now()`;
    return rows === 1;
  }
}
